// SPDX-License-Identifier: Apache-2.0
#include "conformance/suite/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/suite/told.h"
#include "harness/cases/files.h"
#include "harness/compare/compare.h"

namespace assay::conformance {
namespace {

using Json = nlohmann::json;
using harness::ReplyStatus;

constexpr std::size_t kMaxErrors = 100, kMaxFiles = 100;
constexpr const char* kWithdrawn = "withdrawn.json";

bool ends(std::string_view text, std::string_view with) {
  return text.size() >= with.size() && text.substr(text.size() - with.size()) == with;
}

class Loader {
 public:
  explicit Loader(std::span<const std::string_view> requirements) : rows_(requirements.begin(), requirements.end()) {}

  void add(const std::string& name, const std::string& text) {
    if (name == kWithdrawn) return withdrawn(text);
    auto file = read_cases(text);
    if (!file) return fail(name, file.error());
    if (file->area + ".json" != name) return fail(name, "holds the area " + file->area);
    for (StoredCase& s : file->cases) {
      std::string id = s.c.id;
      const auto [at, is_new] = stored_.emplace(id, std::move(s));
      if (!is_new) fail(id, "stands twice");
    }
  }

  tl::expected<Suite, SuiteErrors> finish() {
    if (stored_.empty()) fail("the suite", "has no case");
    std::string content = std::string(kSuiteVersion) + "\n";
    for (const auto& [id, s] : stored_) {
      content += canonical_case(s) + "\n";
      rules(id, s);
      auto c = with_oracle(s);
      if (!c) fail(id, c.error());
      else suite_.cases.push_back(std::move(*c));
    }
    for (const auto& [id, note] : suite_.withdrawn) content += Json{{"withdrawn", id}, {"note", note}}.dump() + "\n";
    if (errors_.empty()) pairs();
    if (!errors_.empty()) return tl::unexpected(std::move(errors_));
    suite_.version = kSuiteVersion;
    suite_.sha256 = sha256_hex(content);
    return std::move(suite_);
  }

 private:
  void fail(const std::string& where, const std::string& what) {
    if (errors_.size() < kMaxErrors) errors_.push_back(where + ": " + what);
  }

  void withdrawn(const std::string& text) {
    const Json j = Json::parse(text, nullptr, false);
    if (!j.is_array()) return fail(kWithdrawn, "is no array");
    for (const Json& w : j) {
      const bool sound = w.is_object() && w.size() == 2 && w.contains("id") && w.contains("note") &&
                         w["id"].is_string() && w["note"].is_string() &&
                         !w["note"].get_ref<const std::string&>().empty();
      if (!sound) return fail(kWithdrawn, "holds what is no {id, note}");
      if (!suite_.withdrawn.emplace(w["id"].get<std::string>(), w["note"].get<std::string>()).second)
        fail(kWithdrawn, w["id"].get<std::string>() + " stands twice");
    }
  }

  // What one case must be, and what it refers to.
  void rules(const std::string& id, const StoredCase& s) {
    const Case& c = s.c;
    for (const std::string& row : c.requirements)
      if (rows_.count(row) == 0) fail(id, "names the requirement " + row + " that there is none of");
    for (const Ignored& i : c.ignore)
      if (rows_.count(i.requirement) == 0)
        fail(id, "ignores a path for the requirement " + i.requirement + " that there is none of");
    if (c.id.rfind(c.requirements[0] + "/", 0) != 0) fail(id, "does not begin with its first requirement");
    if (suite_.withdrawn.count(id) != 0) fail(id, "is withdrawn");
    const bool refused = c.expect != ReplyStatus::ok;
    if (refused != !c.twin.empty()) fail(id, refused ? "is refused and names no twin" : "is accepted and names a twin");
    if (!c.twin.empty()) {
      const auto twin = stored_.find(c.twin);
      if (twin == stored_.end()) return fail(id, "names a twin " + c.twin + " that there is none of");
      if (twin->second.c.expect != ReplyStatus::ok) fail(id, "names a twin that is refused itself");
      if (twin->second.c.op != c.op) fail(id, "has a twin of another op");
      if (twin->second.c.request == c.request) fail(id, "has itself for a twin");
    }
    if (!c.differs_from.empty()) {
      const auto other = stored_.find(c.differs_from);
      if (other == stored_.end()) return fail(id, "differs from " + c.differs_from + " that there is none of");
      if (other->second.c.op != c.op) fail(id, "differs from a case of another op");
    }
  }

  void pairs() {
    for (const Case& c : suite_.cases) {
      if (c.differs_from.empty()) continue;
      const Case* other = suite_.find(c.differs_from);
      if (other->expect == c.expect && other->answer == c.answer)
        fail(c.id, "is answered as " + c.differs_from + " is");
    }
  }

  std::set<std::string_view> rows_;
  std::map<std::string, StoredCase> stored_;
  Suite suite_;
  SuiteErrors errors_;
};

// The first key in which two expectations differ, for people.
std::string difference(const Json& stored, const Json& told) {
  const Json status = told.value("status", Json());
  if (!status.is_null() && stored.value("status", Json()) != status)
    return fmt::format("\"status\" is {} where the oracle has {}", stored.value("status", Json()).dump(),
                       status.dump());
  for (const auto& [key, v] : told.items()) {
    const auto it = stored.find(key);
    if (it == stored.end()) return fmt::format("\"{}\" is missing", key);
    if (*it == v) continue;
    if (v.is_object() && it->is_object()) return key + ": " + difference(*it, v);
    return fmt::format("\"{}\" is {:.60} where the oracle has {:.60}", key, it->dump(), v.dump());
  }
  for (const auto& [key, v] : stored.items())
    if (!told.contains(key)) return fmt::format("\"{}\" is not the oracle's", key);
  return "differs";
}

}  // namespace

const Case* Suite::find(std::string_view id) const {
  const auto it =
      std::lower_bound(cases.begin(), cases.end(), id, [](const Case& c, std::string_view i) { return c.id < i; });
  return it != cases.end() && it->id == id ? &*it : nullptr;
}

Read<Case> with_oracle(const StoredCase& stored) {
  Case c = stored.c;
  auto told = told_by(harness::oracle_subject(), c.op, c.request);
  if (!told) return tl::unexpected(told.error());
  const std::string expect = expect_text(c.op, *told);
  const Json mine = Json::parse(stored.expect, nullptr, false), oracles = Json::parse(expect, nullptr, false);
  if (mine != oracles)
    return tl::unexpected("what is expected is not the oracle's answer: " + difference(mine, oracles));
  c.expect = told->answer.status;
  c.code = told->answer.status == ReplyStatus::ok ? std::nullopt : told->answer.code;
  c.answer = told->answer.body;
  return c;
}

tl::expected<Suite, SuiteErrors> suite_of(const std::map<std::string, std::string>& files,
                                          std::span<const std::string_view> requirements) {
  Loader loader(requirements);
  // Withdrawn ids first: a case of such an id is an error.
  if (const auto w = files.find(kWithdrawn); w != files.end()) loader.add(w->first, w->second);
  for (const auto& [name, text] : files)
    if (name != kWithdrawn) loader.add(name, text);
  return loader.finish();
}

tl::expected<Suite, SuiteErrors> load_suite(const std::string& directory,
                                            std::span<const std::string_view> requirements) {
  const auto names = harness::names_in(directory);
  if (!names) return tl::unexpected(SuiteErrors{names.error()});
  std::map<std::string, std::string> files;
  for (const std::string& name : *names) {
    if (!ends(name, ".json") || !harness::is_file(directory + "/" + name)) continue;
    if (files.size() == kMaxFiles) return tl::unexpected(SuiteErrors{directory + ": too many files"});
    auto text = harness::read_whole(directory + "/" + name);
    if (!text) return tl::unexpected(SuiteErrors{text.error()});
    files.emplace(name, std::move(*text));
  }
  if (files.count(kWithdrawn) == 0) return tl::unexpected(SuiteErrors{directory + ": no " + kWithdrawn});
  return suite_of(files, requirements);
}

}  // namespace assay::conformance
