# SPDX-License-Identifier: Apache-2.0
# The mutators as shared libraries, one for each family, for libFuzzer and AFL++ alike, and the
# program that writes dictionaries. For trees without instrumentation.
add_custom_target(assay_mutators)
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/mutators.map"
  "{ global: LLVMFuzzerCustomMutator; LLVMFuzzerCustomCrossOver; afl_custom_*; local: *; };\n")
foreach(family IN LISTS ASSAY_MUTATOR_FAMILIES)
  set(source ${family})
  if(family STREQUAL "spelling")
    set(source text)
  endif()
  add_library(assay_mutators_${family} SHARED EXCLUDE_FROM_ALL common/mutators_${source}.cpp afl/mutator.cpp)
  target_link_libraries(assay_mutators_${family} PRIVATE assay_harness assay_oracle
    "-Wl,--version-script=${CMAKE_CURRENT_BINARY_DIR}/mutators.map")
  target_link_options(assay_mutators_${family} PRIVATE LINKER:--disable-new-dtags)
  set_target_properties(assay_mutators_${family} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  add_dependencies(assay_mutators assay_mutators_${family})
endforeach()
target_compile_definitions(assay_mutators_spelling PRIVATE ASSAY_FUZZ_PREFIX=8)

add_executable(assay_make_dictionary EXCLUDE_FROM_ALL common/make_dictionary.cpp)
target_link_libraries(assay_make_dictionary PRIVATE assay_harness)
add_dependencies(assay_mutators assay_make_dictionary)
