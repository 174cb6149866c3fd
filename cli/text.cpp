// SPDX-License-Identifier: Apache-2.0
#include "cli/text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace assay::cli {
namespace {

struct Char {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: no UTF-8
};

// The first character of a non-empty text.
Char first_char(std::string_view s) {
  const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(s[i]); };
  const std::uint8_t lead = at(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t n = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || s.size() < n) return {};
  std::uint32_t code = lead & (0x7FU >> n);
  for (std::size_t i = 1; i < n; ++i) {
    if ((at(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (at(i) & 0x3FU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[n] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, n};
}

// What would move the cursor, change the direction of text or break the line.
bool is_control(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || (c >= 0x200E && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

std::string escape(std::string_view text, bool word) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Char c = first_char(text);
    const std::size_t n = c.bytes == 0 ? 1 : c.bytes;
    if (c.bytes == 0 || is_control(c.code) || (word && (c.code == ' ' || c.code == 0xA0))) {
      for (const char byte : text.substr(0, n))
        out += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(byte));
    } else {
      if (word && c.code == '\\') out += '\\';
      out += text.substr(0, n);
    }
    text.remove_prefix(n);
  }
  return out;
}

}  // namespace

std::string escape_text(std::string_view text) { return escape(text, false); }
std::string escape_word(std::string_view text) { return escape(text, true); }

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Char c = first_char(text);
    if (c.bytes == 0) return false;
    text.remove_prefix(c.bytes);
  }
  return true;
}

std::string shell_path(std::string_view path, ShellForm form) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=@%:,./";
  const auto printable = [](char c) { return c >= 0x20 && c < 0x7f; };
  std::string word(path);
  if (word.substr(0, 1) == "-") word.insert(0, "./");
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  const bool plain = form == ShellForm::text   ? is_utf8(word)
                     : form == ShellForm::line ? escape_text(word) == word
                                               : std::all_of(word.begin(), word.end(), printable);
  std::string out = plain ? "'" : "$'";
  for (const char c : word) {
    if (plain) {
      if (c == '\'') out += "'\\''";
      else out += c;
    } else if (c == '\'' || c == '\\') {
      out += {'\\', c};
    } else if (printable(c)) {
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += fmt::format("\\{:03o}", static_cast<std::uint8_t>(c));
    }
  }
  return out + "'";
}

bool is_plain_file_name(std::string_view name) {
  constexpr std::size_t kMaxBytes = 200;  // leaves room for suffixes in a file system's 255
  if (name.empty() || name.size() > kMaxBytes || name == "." || name == "..") return false;
  return name.find('/') == std::string_view::npos && escape_text(name) == name;
}

bool is_terminal(int fd) {
  const char* const term = std::getenv("TERM");
  return ::isatty(fd) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::string paint(int fd, Colour colour, std::string_view text) {
  const char* const no_color = std::getenv("NO_COLOR");
  if (!is_terminal(fd) || (no_color != nullptr && *no_color != '\0')) return std::string(text);
  const int code = colour == Colour::red ? 31 : colour == Colour::yellow ? 33 : 1;
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace assay::cli
