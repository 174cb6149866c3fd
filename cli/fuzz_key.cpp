// SPDX-License-Identifier: Apache-2.0
#include "cli/fuzz_key.h"

#include <fmt/format.h>

#include <algorithm>

#include "oracle/image/image.h"

namespace assay::cli {
namespace {

constexpr std::string_view kFound = "found: ", kSummary = "SUMMARY: ", kError = "ERROR: ",
                           kUncaught = "terminate called",
                           kWhat = "  what():  ";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

std::string_view line_at(std::string_view text, std::size_t at) {
  return text.substr(at, std::min(text.find('\n', at), text.size()) - at);
}

// Where the first line that begins so is, from `from` on; or npos.
std::size_t first_line(std::string_view text, std::string_view begin, std::size_t from = 0) {
  for (std::size_t at = text.find(begin, from); at != text.npos; at = text.find(begin, at + 1))
    if (at == 0 || text[at - 1] == '\n') return at;
  return text.npos;
}
std::size_t last_line(std::string_view text, std::string_view begin) {
  std::size_t last = text.npos;
  for (std::size_t at = first_line(text, begin); at != text.npos; at = first_line(text, begin, at + 1)) last = at;
  return last;
}

// "VAR-031" or "limit:members" where the text begins so, else "".
std::string_view requirement_in(std::string_view text) {
  constexpr std::string_view kLimit = "limit:";
  if (text.substr(0, kLimit.size()) == kLimit) return text.substr(0, text.find_first_of(" ,;", kLimit.size()));
  std::size_t i = 0;
  while (i < text.size() && (is_upper(text[i]) || (i > 0 && is_digit(text[i])))) ++i;
  if (i == 0 || i + 4 > text.size() || text[i] != '-') return {};
  const bool three = is_digit(text[i + 1]) && is_digit(text[i + 2]) && is_digit(text[i + 3]);
  return three && (i + 4 == text.size() || !is_digit(text[i + 4])) ? text.substr(0, i + 4) : std::string_view{};
}

// Without paths' directories, line numbers, addresses and sizes.
std::string plain_summary(std::string_view summary) {
  std::string out;
  for (std::size_t at = 0; at < summary.size();) {
    const std::size_t end = std::min(summary.find(' ', at), summary.size());
    std::string_view word = summary.substr(at, end - at);
    at = end + 1;
    if (const auto slash = word.rfind('/'); slash != word.npos) word = word.substr(slash + 1);
    if (const auto colon = word.find(':'); colon != word.npos && colon + 1 < word.size() && is_digit(word[colon + 1]))
      word = word.substr(0, colon);
    if (word.substr(0, 2) == "0x" || word.substr(0, 3) == "(0x") continue;
    std::string kept;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const bool number = is_digit(word[i]) && (i == 0 || word[i - 1] == '(');
      if (!number) kept += word[i];
      while (number && i + 1 < word.size() && is_digit(word[i + 1])) ++i;
    }
    if (!kept.empty()) out += (out.empty() ? "" : " ") + kept;
  }
  return out;
}

// The innermost function of ours in the first stack after `from`: "#3 0x… in assay::decode(…) file".
std::string_view own_function(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size();) {
    const std::string_view line = line_at(text, at);
    at += line.size() + 1;
    const auto in = line.find(" in ");
    if (line.substr(0, 5) != "    #" || in == line.npos) continue;
    const std::string_view name = line.substr(in + 4);
    // Where every stack of a violated property begins says nothing.
    if (name.substr(0, 7) != "assay::" || name.substr(0, 18) == "assay::fuzz::found") continue;
    return name.substr(0, name.find_first_of("( "));
  }
  return {};
}

}  // namespace

bool has_symptom(std::string_view output) {
  return first_line(output, kFound) != output.npos || first_line(output, kSummary) != output.npos ||
         first_line(output, kUncaught) != output.npos;
}

FuzzSymptom symptom_of(std::string_view kind, std::string_view output, pid_t pid, const std::string& ending) {
  FuzzSymptom s;
  // The first such line is the target's own; an input's text may hold others behind it.
  if (const std::size_t at = first_line(output, kFound); at != output.npos && kind == "crash") {
    const std::string_view text = line_at(output, at).substr(kFound.size());
    const std::string_view id = requirement_in(text);
    s.verdict = std::string(kFound) + std::string(text);
    s.requirement = id;
    s.key = id.empty() ? text.substr(0, text.find(": ")) : id;
    return s;
  }
  const std::string own = fmt::format("=={}==", pid);
  std::size_t error = first_line(output, own);
  while (error != output.npos && line_at(output, error).find(kError) == std::string_view::npos)
    error = first_line(output, own, error + 1);
  const std::size_t from = error == output.npos ? 0 : error;
  const std::size_t summary = error == output.npos ? last_line(output, kSummary) : first_line(output, kSummary, error);
  if (summary == output.npos && error == output.npos) {
    s.verdict = ending;
    s.key = kind == "timeout" ? std::string(kind) : std::string(kind) + " " + ending;
    return s;
  }
  // From "ERROR: " on, or from behind "SUMMARY: ".
  s.verdict = error == output.npos ? line_at(output, summary).substr(kSummary.size()) : line_at(output, error);
  if (error != output.npos) s.verdict.erase(0, s.verdict.find(kError));
  s.key = summary == output.npos ? std::string(kind) : plain_summary(line_at(output, summary).substr(kSummary.size()));
  // libFuzzer's own summaries, and those of leaks, say nothing of where.
  if (s.key.compare(0, 9, "libFuzzer") != 0 && kind != "leak") return s;
  if (const std::size_t at = first_line(output, kUncaught); at != output.npos && kind == "crash") {
    s.verdict = line_at(output, at);
    s.key = s.verdict;
    if (const std::size_t what = first_line(output, kWhat, at); what != output.npos)
      s.verdict += ": " + std::string(line_at(output, what).substr(kWhat.size()));
  }
  if (const std::string_view function = own_function(output, from); !function.empty() && kind != "timeout")
    s.key += " in " + std::string(function);
  return s;
}

std::string slug_of_key(const std::string& key) {
  constexpr std::size_t kMost = 60;
  std::string out;
  for (const char c : key) {
    const char low = is_upper(c) ? static_cast<char>(c + ('a' - 'A')) : c;
    const bool plain = is_digit(low) || (low >= 'a' && low <= 'z');
    if (plain) out += low;
    else if (!out.empty() && out.back() != '-') out += '-';
  }
  const bool cut = out.size() > kMost;
  out.resize(std::min(out.size(), kMost));
  while (!out.empty() && out.back() == '-') out.pop_back();
  if (out.empty()) out = "finding";
  return cut ? fmt::format("{}-{:08x}", out, crc32_of(as_bytes(key))) : out;
}

}  // namespace assay::cli
