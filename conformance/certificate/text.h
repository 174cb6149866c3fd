// SPDX-License-Identifier: Apache-2.0
// Text of untrusted origin on its way into documents, and bytes as hex. Internal to this room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::conformance {

// Valid UTF-8 of at most `most` bytes and a mark where it was longer; what is not UTF-8 is U+FFFD.
std::string clean(std::string_view text, std::size_t most = 400);

// For text and attribute values of HTML and XML: the five special characters as entities, control characters as their
// pictures (U+2400 and on), which XML 1.0 cannot hold otherwise; U+FFFE and U+FFFF too. `text` is valid UTF-8.
std::string escape_markup(std::string_view text);

// A Markdown code span that shows the text as it stands, on one line: no link, tag or emphasis can come of it.
// Not for cells of a table. `text` is valid UTF-8.
std::string markdown_code(std::string_view text);

std::string to_hex(std::string_view bytes);
// "" where it is no hex of whole bytes.
std::string from_hex(std::string_view hex);

}  // namespace assay::conformance
