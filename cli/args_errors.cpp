// SPDX-License-Identifier: Apache-2.0
// What is wrong with a command line, where CLI11 would say it less well.
#include <algorithm>
#include <vector>

#include "cli/args_parts.h"
#include "cli/nearest.h"

namespace assay::cli {

std::string number_error(std::string_view text, std::string_view what) {
  const bool hex = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
  const std::string_view digits = hex ? text.substr(2) : text;
  const bool is_number =
      !digits.empty() && digits.find_first_not_of(hex ? "0123456789abcdefABCDEF" : "0123456789") == text.npos;
  if (is_number && !whole_number(text))
    return std::string(text) + " is out of range: at most 18446744073709551615";
  return "a " + std::string(what) + " is expected";
}

std::string unknown_command(const CLI::App& app, int argc, const char* const* argv, std::string& command) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::vector<const CLI::App*> subs = at->get_subcommands([](const CLI::App*) { return true; });
    if (subs.empty()) return {};
    if (!word.empty() && word[0] == '-') continue;
    const auto is_it = [&](const CLI::App* sub) { return sub->get_name() == word; };
    const auto sub = std::find_if(subs.begin(), subs.end(), is_it);
    if (sub == subs.end()) {
      std::vector<std::string_view> names;
      for (const CLI::App* s : subs) names.push_back(s->get_name());
      return "no command \"" + word + "\"" + did_you_mean(word, names);
    }
    at = *sub;
    command += (command.empty() ? "" : " ") + word;
  }
  return {};
}

std::string left_over(const CLI::App& app) {
  std::vector<std::string> words = app.remaining();
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    const std::vector<std::string> more = at->remaining();
    words.insert(words.end(), more.begin(), more.end());
  }
  std::string out;
  for (const std::string& word : words) out += " " + word;
  return out;
}

}  // namespace assay::cli
