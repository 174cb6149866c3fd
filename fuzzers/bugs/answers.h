// SPDX-License-Identifier: Apache-2.0
// What a lowering answers to an input, as text that can be compared. answers.cpp is compiled twice:
// with the oracle (`truth`) and with its patched copy (`patched`), whose namespace has another name.
// So that both have one interface, nothing here is a type of either.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The number of the bug that the patched copy has: ASSAY_BUG of the environment, 0 for none.
extern "C" int assay_bug_active;

namespace bugs {

struct Member {
  std::string_view path, bytes;
};
// `options`: the bytes of an Options, which is plain data.
struct Model {
  std::vector<Member> members;
  std::string_view options;
};
struct Dtypes {
  std::vector<std::string> texts;
  std::vector<std::int64_t> codes;
};

// An answer replaces what `answer` held. True: accepted.
#define ASSAY_BUGS_ANSWERS(side)                                  \
  namespace side {                                                \
  bool of_model(const Model& model, std::string& answer);         \
  bool of_neff(std::string_view file, std::string& answer);       \
  bool of_image(std::string_view image, std::string& answer);     \
  bool of_json(std::string_view text, std::string& answer);       \
  bool of_dtypes(const Dtypes& dtypes, std::string& answer);      \
  }
ASSAY_BUGS_ANSWERS(truth)
ASSAY_BUGS_ANSWERS(patched)
#undef ASSAY_BUGS_ANSWERS

}  // namespace bugs
