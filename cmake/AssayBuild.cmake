# SPDX-License-Identifier: Apache-2.0
# Language level, instrumentation, warnings and the outside libraries: what every room shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# The fuzzers' mutators are shared libraries made of the same archives (fuzzers/CMakeLists.txt).
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")  # checks by assert() stay in

find_program(ASSAY_CCACHE ccache)
if(ASSAY_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    "${ASSAY_CCACHE}")
endif()

# Instrumentation reaches GoogleTest too, which is built from source: so the flags are global.
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
set(instrument "")
if(ASSAY_SANITIZE STREQUAL "address")
  # The annotated vector shows reads past a vector's size but inside its capacity.
  set(instrument -fsanitize=address)
  add_compile_definitions(_GLIBCXX_SANITIZE_STD_ALLOCATOR=1 _GLIBCXX_SANITIZE_VECTOR=1)
elseif(ASSAY_SANITIZE STREQUAL "undefined")
  set(instrument -fsanitize=undefined,float-divide-by-zero,local-bounds,nullability)
elseif(ASSAY_SANITIZE)
  message(FATAL_ERROR "ASSAY_SANITIZE: one of address, undefined")
endif()
if(instrument AND NOT ASSAY_FUZZ)  # a fuzzer's flags come with its compiler
  list(JOIN instrument " " flags)
  # Where fuzzers/build has them, so that ccache may take what both compile from one another.
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(APPEND CMAKE_CXX_FLAGS_${type} " ${flags} -fno-sanitize-recover=all -fno-omit-frame-pointer")
endif()
if(ASSAY_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()
if(instrument OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  find_program(ASSAY_LLD NAMES ld.lld-19 ld.lld)
  if(ASSAY_LLD)
    add_link_options("--ld-path=${ASSAY_LLD}")
  endif()
endif()

# What leads a fuzzer: edges of the code under test, none of the harness or the targets.
add_library(assay_edges INTERFACE)
add_library(assay_no_edges INTERFACE)
if(ASSAY_FUZZ AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=fuzzer-no-link")
  string(REPLACE " -fsanitize=fuzzer-no-link" "" CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS}")
  target_compile_options(assay_edges INTERFACE -fsanitize=fuzzer-no-link)
  if(NOT ASSAY_SANITIZE)  # for speed: every comparison would be reported to the engine
    target_compile_options(assay_edges INTERFACE -fno-sanitize-coverage=trace-cmp)
  endif()
elseif(ASSAY_FUZZ AND CMAKE_CXX_COMPILER MATCHES "afl-")
  target_compile_options(assay_no_edges INTERFACE -fno-sanitize-coverage=trace-pc-guard)
endif()

# Our own sources, not those of others, are held to these.
add_library(assay_flags INTERFACE)
target_compile_options(assay_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports overlaps inside std::string's own assignment that cannot be (GCC bug 105651).
  target_compile_options(assay_flags INTERFACE -Wno-restrict)
else()
  # clang 19 reports what libstdc++ 12 itself does inside std::stable_sort.
  target_compile_options(assay_flags INTERFACE -Wno-deprecated-declarations)
endif()
if(ASSAY_WERROR)
  target_compile_options(assay_flags INTERFACE -Werror)
endif()
target_include_directories(assay_flags INTERFACE "${PROJECT_SOURCE_DIR}")

find_package(tl-expected REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(LibArchive REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(tsl-robin-map REQUIRED)
find_package(rapidcheck REQUIRED)  # it has no version
find_package(Threads REQUIRED)
# Debian ships no CMake package of these two.
find_package(Python3 REQUIRED COMPONENTS Interpreter)  # writes a table, and runs checks

# Debian ships no CMake package of these.
foreach(name IN ITEMS deflate isal)
  find_library(ASSAY_LIB_${name} ${name} REQUIRED)
  add_library(assay_lib${name} INTERFACE)
  target_link_libraries(assay_lib${name} INTERFACE "${ASSAY_LIB_${name}}")
endforeach()
