# SPDX-License-Identifier: Apache-2.0
# The targets under an engine, their mutators, dictionaries and options.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND NOT DEFINED ENV{LIB_FUZZING_ENGINE})
  message(FATAL_ERROR "ASSAY_FUZZ: libFuzzer needs clang (preset fuzz)")
endif()
if(DEFINED ENV{LIB_FUZZING_ENGINE})
  separate_arguments(engine UNIX_COMMAND "$ENV{LIB_FUZZING_ENGINE}")
else()
  set(engine -fsanitize=fuzzer)
endif()

# What the mutators use of oracle and harness, once more: without instrumentation, which makes them
# two to three times as fast, and under another namespace, so that the linker merges none of it with
# the code under test. The same for nlohmann's templates, by the name of their namespace.
set(plain_sources)
foreach(room IN ITEMS oracle harness/choice harness/gen harness/mutate harness/reduce)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${room}/*.cpp")
  list(APPEND plain_sources ${found})
endforeach()
list(FILTER plain_sources EXCLUDE REGEX "/test/")
add_library(assay_plain STATIC EXCLUDE_FROM_ALL ${plain_sources})
target_compile_definitions(assay_plain PUBLIC assay=assay_plain NLOHMANN_JSON_NAMESPACE_NO_VERSION=1)
target_compile_options(assay_plain PUBLIC -fno-sanitize=all)
target_link_libraries(assay_plain PUBLIC assay_flags tl::expected fmt::fmt nlohmann_json::nlohmann_json
  PRIVATE simdjson::simdjson LibArchive::LibArchive OpenSSL::Crypto assay_libisal assay_libdeflate tsl::robin_map)

foreach(family IN ITEMS text spelling model container image)
  set(source mutators_${family}.cpp)
  if(family STREQUAL "spelling")
    set(source mutators_text.cpp)
  endif()
  add_library(assay_mutators_${family} OBJECT EXCLUDE_FROM_ALL common/${source})
  target_link_libraries(assay_mutators_${family} PRIVATE assay_plain)
endforeach()
target_compile_definitions(assay_mutators_spelling PRIVATE ASSAY_FUZZ_PREFIX=8)

add_executable(assay_make_dictionary EXCLUDE_FROM_ALL common/make_dictionary.cpp)
target_link_libraries(assay_make_dictionary PRIVATE assay_harness)

add_custom_target(assay_fuzzers)

# fuzz_<target>, fuzz_<target>.dict and fuzz_<target>.options in this directory of the build tree.
function(assay_add_libfuzzer target mutator max_len timeout)
  set(name fuzz_${target})
  add_executable(${name} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:assay_fuzz_${target}>)
  if(NOT mutator STREQUAL "none")
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:assay_mutators_${mutator}>)
    # Linked by its file alone: its definitions are for the mutators, not for this program.
    target_link_libraries(${name} PRIVATE $<TARGET_FILE:assay_plain>)
    add_dependencies(${name} assay_plain)
  endif()
  target_link_libraries(${name} PRIVATE assay_fuzz_common ${engine})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  add_custom_command(OUTPUT ${name}.dict
    COMMAND assay_make_dictionary ${target} ${name}.dict
    DEPENDS assay_make_dictionary VERBATIM)
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${name}.options"
    "[libfuzzer]\nmax_len = ${max_len}\ntimeout = ${timeout}\nrss_limit_mb = 2048\n")
  add_custom_target(${name}_files DEPENDS ${name}.dict)
  add_dependencies(assay_fuzzers ${name} ${name}_files)
endfunction()
