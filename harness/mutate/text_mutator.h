// SPDX-License-Identifier: Apache-2.0
// Edits of JSON text that no document can hold: duplicate keys, other spellings of numbers, escapes
// and white space, what stands before and behind a document, bad UTF-8. It looks only around the
// place it edits, so that any bytes will do, and judges nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/choice/choices.h"

namespace assay::harness {

// One edit; never an empty text and never more than max_bytes (at least 1). False, and the text as
// it was, where none was found.
bool mutate_text(Choices& c, std::string& text, std::size_t max_bytes);

// The kinds of edits, for tests and statistics.
struct TextMutation {
  std::string_view name;
  bool (*edit)(Choices&, std::string&);
};
std::span<const TextMutation> text_mutations();

}  // namespace assay::harness
