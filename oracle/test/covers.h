// SPDX-License-Identifier: Apache-2.0
// Traceability: a test names the requirements it checks, and the list can be read back both from
// the source (the traceability test scans it) and from a run's XML.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace assay::test {

inline void covers(std::initializer_list<const char*> ids) {
  std::string all;
  for (const char* id : ids) all += (all.empty() ? "" : " ") + std::string(id);
  ::testing::Test::RecordProperty("requirements", all);
}

}  // namespace assay::test

#define ASSAY_COVERS(...) ::assay::test::covers({__VA_ARGS__})
