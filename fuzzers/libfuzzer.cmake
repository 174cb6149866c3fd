# SPDX-License-Identifier: Apache-2.0
# The targets under an engine: <target>, <target>.dict and <target>.options in this directory of the
# build tree, beside lib/ with the mutators. ASSAY_FUZZING_ENGINE says what to link.
# ASSAY_PLAIN_ENGINE is another for targets whose mutators edit structure or a checksum, or empty.
separate_arguments(engine UNIX_COMMAND "${ASSAY_FUZZING_ENGINE}")
separate_arguments(plain_engine UNIX_COMMAND "${ASSAY_PLAIN_ENGINE}")
function(assay_engine_for out mutator)
  set(for_this ${engine})
  if(plain_engine AND mutator MATCHES "^(model|container|image|checksum)$")
    set(for_this ${plain_engine})
  endif()
  set(${out} "${for_this}" PARENT_SCOPE)
endfunction()

# The mutators come from a tree of their own that has no instrumentation at all, which makes them two
# to three times as fast, and as shared libraries that show nothing but their entry points: the
# linker merges no function of theirs with the code under test. The tree serves many others.
set(ASSAY_PLAIN_DIR "${PROJECT_BINARY_DIR}/plain" CACHE PATH "The tree that builds the mutators")
set(ASSAY_PLAIN_CXX "${CMAKE_CXX_COMPILER}" CACHE STRING "The compiler that builds the mutators")
include(ExternalProject)
set(plain "${ASSAY_PLAIN_DIR}/fuzzers")
set(libraries)
foreach(family IN LISTS ASSAY_MUTATOR_FAMILIES)
  list(APPEND libraries "${plain}/libassay_mutators_${family}.so")
endforeach()
ExternalProject_Add(assay_plain EXCLUDE_FROM_ALL ON
  SOURCE_DIR "${PROJECT_SOURCE_DIR}"
  BINARY_DIR "${ASSAY_PLAIN_DIR}"
  PREFIX "${ASSAY_PLAIN_DIR}/external"
  CMAKE_GENERATOR Ninja
  CMAKE_ARGS "-DCMAKE_CXX_COMPILER=${ASSAY_PLAIN_CXX}" -DCMAKE_CXX_FLAGS= -DCMAKE_BUILD_TYPE=Release
    -DASSAY_TESTS=OFF -DASSAY_MUTATORS=ON "-DASSAY_WERROR=${ASSAY_WERROR}"
  # Two trees may want it at once.
  BUILD_COMMAND flock "${ASSAY_PLAIN_DIR}/.lock" "${CMAKE_COMMAND}" --build <BINARY_DIR> --target assay_mutators
  BUILD_ALWAYS ON
  BUILD_BYPRODUCTS ${libraries} "${plain}/assay_make_dictionary"
  INSTALL_COMMAND "")

add_custom_target(assay_fuzzers)

# The oracle by itself, for afl/check.
add_executable(fuzz_probe EXCLUDE_FROM_ALL afl/probe.cpp common/fixed_members.cpp)
target_link_libraries(fuzz_probe PRIVATE assay_oracle ${engine})

function(assay_add_fuzzer target mutator max_len timeout)
  set(name fuzz_${target})
  add_executable(${name} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:assay_fuzz_${target}>)
  assay_engine_for(own_engine ${mutator})
  target_link_libraries(${name} PRIVATE assay_fuzz_common ${own_engine})
  target_link_options(${name} PRIVATE LINKER:--disable-new-dtags)  # the old tag serves the libraries' own needs, too
  set_target_properties(${name} PROPERTIES
    LINKER_LANGUAGE CXX OUTPUT_NAME ${target} BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/lib")
  if(NOT mutator STREQUAL "none")
    set(library "${plain}/libassay_mutators_${mutator}.so")
    add_dependencies(${name} assay_plain)
    # libFuzzer asks for its functions by weak references, for which alone no linker would keep a
    # library. AFL++ loads it into its fuzzer.
    target_link_libraries(${name} PRIVATE -Wl,--no-as-needed "${library}" -Wl,--as-needed)
    add_custom_command(TARGET ${name} POST_BUILD COMMAND "${CMAKE_COMMAND}" -E copy_if_different
      "${library}" "${CMAKE_CURRENT_BINARY_DIR}/lib/libassay_mutators_${mutator}.so")
  endif()
  add_custom_command(OUTPUT ${target}.dict
    COMMAND "${plain}/assay_make_dictionary" ${target} ${target}.dict
    DEPENDS assay_plain "${plain}/assay_make_dictionary" VERBATIM)
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${target}.options"
    "[libfuzzer]\nmax_len = ${max_len}\ntimeout = ${timeout}\nrss_limit_mb = 2048\n")
  # An edit that no lowering takes spoils those that follow it; what costs most is not to be wasted. The
  # features of a model are many: with few of them counted as rare the engine takes a third less of the time.
  if(mutator STREQUAL "model" OR mutator STREQUAL "container")
    file(APPEND "${CMAKE_CURRENT_BINARY_DIR}/${target}.options"
      "mutate_depth = 3\nentropic_feature_frequency_threshold = 32\n")
  endif()
  add_custom_target(${name}_files DEPENDS ${target}.dict)
  add_dependencies(assay_fuzzers ${name} ${name}_files)
endfunction()
