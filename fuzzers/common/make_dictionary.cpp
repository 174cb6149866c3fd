// SPDX-License-Identifier: Apache-2.0
// usage: make_dictionary TARGET FILE: writes a target's dictionary.
#include <cstdio>
#include <string>

#include "harness/cases/files.h"
#include "harness/mutate/dictionary.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s TARGET FILE\n", argv[0]);
    return 2;
  }
  if (const auto written = assay::harness::write_whole(argv[2], assay::harness::dictionary_for(argv[1])); !written) {
    std::fprintf(stderr, "%s\n", written.error().c_str());
    return 1;
  }
  return 0;
}
