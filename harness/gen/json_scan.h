// SPDX-License-Identifier: Apache-2.0
// JSON text by its characters, without a parse: what stands outside strings. It judges nothing.
#pragma once

#include <string_view>

namespace assay::harness {

// visit(i, ch) for every character outside strings, an opening quote among them, until it says false.
// False when it did.
template <class F>
bool scan_outside_strings(std::string_view text, F visit) {
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char ch = text[i];
    if (in_string) {
      if (ch == '\\') ++i;
      else if (ch == '"') in_string = false;
      continue;
    }
    in_string = ch == '"';
    if (!visit(i, ch)) return false;
  }
  return true;
}

}  // namespace assay::harness
