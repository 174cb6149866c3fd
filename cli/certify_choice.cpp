// SPDX-License-Identifier: Apache-2.0
#include "cli/certify_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "cli/implementation.h"
#include "cli/nearest.h"
#include "cli/requirements.h"
#include "conformance/certificate/levels.h"
#include "conformance/suite/generated.h"

namespace assay::cli {
namespace {

using conformance::Case;

// "generated/42/17", or its twin: the seed and the number are the case. Nothing where it is no such id.
struct GeneratedId {
  std::uint64_t seed = 0, index = 0;
};
std::optional<GeneratedId> generated_id(std::string_view id) {
  constexpr std::string_view kBegin = "generated/", kTwin = ".twin";
  if (id.substr(0, kBegin.size()) != kBegin) return std::nullopt;
  id.remove_prefix(kBegin.size());
  if (id.size() > kTwin.size() && id.substr(id.size() - kTwin.size()) == kTwin) id.remove_suffix(kTwin.size());
  GeneratedId out;
  const auto seed = std::from_chars(id.data(), id.data() + id.size(), out.seed);
  if (seed.ec != std::errc{} || seed.ptr == id.data() + id.size() || *seed.ptr != '/') return std::nullopt;
  const auto index = std::from_chars(seed.ptr + 1, id.data() + id.size(), out.index);
  if (index.ec != std::errc{} || index.ptr != id.data() + id.size()) return std::nullopt;
  return out;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

bool has(const std::vector<Case>& cases, std::string_view id) {
  return std::any_of(cases.begin(), cases.end(), [&](const Case& c) { return c.id == id; });
}

// Those of the ids, with their twins and pairs, and theirs.
std::set<std::string> with_proofs(const std::vector<Case>& cases, std::set<std::string> ids) {
  for (bool more = true; more;) {
    more = false;
    for (const Case& c : cases)
      if (ids.count(c.id) != 0)
        for (const std::string& other : {c.twin, c.differs_from})
          if (!other.empty() && ids.insert(other).second) more = true;
  }
  return ids;
}

}  // namespace

Io<std::string> levels_of(const std::string& list) {
  const std::string_view all = conformance::suite_levels();
  if (list.empty()) return std::string(all);
  std::string asked;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string word = upper(list.substr(at, end - at));
    if (word.size() != 1 || all.find(word) == all.npos)
      return io_error(fmt::format("certify: --levels: there is no level \"{}\" in this suite ({})",
                                  list.substr(at, end - at), all));
    asked += word;
    at = end + 1;
  }
  std::string out;
  for (const char letter : all)
    if (asked.find(letter) != asked.npos) out += letter;
  return out;
}

Io<ChosenCases> chosen_cases(const CertifyArgs& args, conformance::Suite&& suite, std::uint64_t seed) {
  ChosenCases out;
  out.filtered = !args.cases.empty() || !args.requirements.empty();
  std::vector<Case>& cases = out.cases;
  cases = std::move(suite.cases);
  if (auto made = add_generated(seed, args.generated, cases); !made) return io_error("certify: " + made.error());
  out.asked_for = cases.size();
  if (!out.filtered) return out;

  std::set<std::string> ids;
  for (const std::string& id : args.cases) {
    if (!has(cases, id))
      if (const auto g = generated_id(id))
        for (Case& c : conformance::generated_case(g->seed, g->index, is_must_row)) cases.push_back(std::move(c));
    if (!has(cases, id)) {
      const auto gone = suite.withdrawn.find(id);
      if (gone != suite.withdrawn.end())
        return io_error(fmt::format("certify: the case {} was withdrawn: {}", id, gone->second));
      std::vector<std::string_view> known;
      for (const Case& c : cases) known.push_back(c.id);
      return io_error(fmt::format("certify: there is no case \"{}\"{} (see assay certify --list)", id,
                                  did_you_mean(id, known)));
    }
    ids.insert(id);
  }
  for (const std::string& given : args.requirements) {
    const std::string id = upper(given);
    const std::size_t before = ids.size();
    bool any = false;
    for (const Case& c : cases)
      for (const std::string& r : c.requirements)
        if (r == id || conformance::area_of(r) == id) {
          ids.insert(c.id);
          any = true;
        }
    if (any || ids.size() != before) continue;
    const auto known = std::find_if(requirements().begin(), requirements().end(), [&](const Requirement& r) {
      return r.id == id || r.area == id;
    });
    if (known != requirements().end())
      return io_error(fmt::format("certify: no case names {} (observable: {}; see assay explain {})", id,
                                  known->observable, known->id));
    std::vector<std::string_view> all;
    for (const Requirement& r : requirements()) all.push_back(r.id);
    return io_error(fmt::format("certify: there is no requirement \"{}\"{}", given, did_you_mean(id, all)));
  }
  out.asked_for = ids.size();
  ids = with_proofs(cases, std::move(ids));
  cases.erase(std::remove_if(cases.begin(), cases.end(), [&](const Case& c) { return ids.count(c.id) == 0; }),
              cases.end());
  return out;
}

}  // namespace assay::cli
