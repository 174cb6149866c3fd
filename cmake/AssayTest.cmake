# SPDX-License-Identifier: Apache-2.0
# GoogleTest, built from Debian's sources with the tree's own flags: a packaged library would lack
# the instrumentation, and ASan's annotated vectors then report errors that are none.
find_path(ASSAY_GTEST_SOURCE src/gtest-all.cc PATHS /usr/src/googletest/googletest REQUIRED)
find_package(Threads REQUIRED)
include(GoogleTest)

add_library(assay_gtest STATIC EXCLUDE_FROM_ALL
  "${ASSAY_GTEST_SOURCE}/src/gtest-all.cc" "${ASSAY_GTEST_SOURCE}/src/gtest_main.cc")
target_include_directories(assay_gtest SYSTEM
  PUBLIC "${ASSAY_GTEST_SOURCE}/include" PRIVATE "${ASSAY_GTEST_SOURCE}")
target_link_libraries(assay_gtest PUBLIC Threads::Threads)

# assay_add_test(NAME SOURCE... [LIBRARIES LIBRARY...] [PROPERTIES PROPERTY VALUE...]): a GoogleTest
# program, each of its tests known to CTest.
function(assay_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES;PROPERTIES")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE assay_flags assay_gtest ${arg_LIBRARIES})
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)  # a third less time to compile
  target_compile_definitions(${name} PRIVATE
    ASSAY_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    ASSAY_CORPUS_DIR="${PROJECT_SOURCE_DIR}/corpus"
    ASSAY_SHARED_DIR="${PROJECT_SOURCE_DIR}/../shared")  # may be absent
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 1200 ${arg_PROPERTIES})
endfunction()

# `cmake --build --preset coverage --target coverage`: 20,000 generated cases, then what of each file
# of the oracle they reached. What they did not is in unreached.txt of the tree.
if(ASSAY_COVERAGE)
  find_program(ASSAY_PROFDATA llvm-profdata-19 REQUIRED)
  find_program(ASSAY_LLVM_COV llvm-cov-19 REQUIRED)
  add_custom_target(coverage
    COMMAND "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/cmake/coverage.py" "${PROJECT_SOURCE_DIR}"
            "$<TARGET_FILE:assay>" "${ASSAY_PROFDATA}" "${ASSAY_LLVM_COV}" "${PROJECT_BINARY_DIR}"
    DEPENDS assay
    WORKING_DIRECTORY "${PROJECT_BINARY_DIR}" USES_TERMINAL VERBATIM)
endif()
