// SPDX-License-Identifier: Apache-2.0
#include "conformance/certificate/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace assay::conformance {

std::string clean(std::string_view text, std::size_t most) {
  const bool cut = text.size() > most;
  if (cut) {
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;  // not inside a character
    text = text.substr(0, most);
  }
  // The JSON writer knows what valid UTF-8 is.
  using Json = nlohmann::json;
  const std::string quoted = Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out = Json::parse(quoted).get<std::string>();
  return cut ? out + " …" : out;
}

std::string escape_markup(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    switch (c) {
      case '&': out += "&amp;"; continue;
      case '<': out += "&lt;"; continue;
      case '>': out += "&gt;"; continue;
      case '"': out += "&quot;"; continue;
      case '\'': out += "&#39;"; continue;
      default: break;
    }
    if (c < 0x20) {
      out += "\xE2\x90";
      out += static_cast<char>(0x80 + c);
    } else if (c == 0x7F) {
      out += "\xE2\x90\xA1";
    } else if (text.substr(i, 2) == "\xEF\xBF" && i + 2 < text.size() &&
               static_cast<unsigned char>(text[i + 2]) >= 0xBE) {
      out += "\xEF\xBF\xBD";
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  std::string line;
  std::size_t run = 0, longest = 0;  // of backticks
  for (const char ch : text) {
    const auto c = static_cast<unsigned char>(ch);
    run = ch == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    line += c < 0x20 || c == 0x7F ? ' ' : ch;
  }
  // A span needs something in it, and a blank between it and a backtick.
  const std::string fence(longest + 1, '`');
  if (line.find_first_not_of(' ') == std::string::npos) return "(empty)";
  return longest > 0 ? fence + " " + line + " " + fence : fence + line + fence;
}

std::string to_hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char ch : bytes) {
    const auto c = static_cast<unsigned char>(ch);
    out += kDigits[c >> 4];
    out += kDigits[c & 15];
  }
  return out;
}

std::string from_hex(std::string_view hex) {
  const auto value = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  std::string out;
  if (hex.size() % 2 != 0) return out;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    if (value(hex[i]) < 0 || value(hex[i + 1]) < 0) return {};
    out += static_cast<char>(value(hex[i]) * 16 + value(hex[i + 1]));
  }
  return out;
}

}  // namespace assay::conformance
