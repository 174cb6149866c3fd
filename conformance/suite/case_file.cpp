// SPDX-License-Identifier: Apache-2.0
#include "conformance/suite/case_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/compare/compare.h"

namespace assay::conformance {
namespace {

using Json = nlohmann::json;
using harness::ReplyStatus;

constexpr ReplyStatus kExpected[] = {ReplyStatus::ok, ReplyStatus::refused, ReplyStatus::trapped};

// Keys of one object: each is asked for once, and what was never asked for is unknown.
class Keys {
 public:
  Keys(const Json& object, std::string& error, std::string where)
      : j_(object), error_(error), where_(std::move(where)) {
    if (!j_.is_object()) fail("is no object");
  }
  const Json* find(const char* key, bool needed, Json::value_t type) {
    known_.push_back(key);
    if (!j_.is_object()) return nullptr;
    const auto it = j_.find(key);
    if (it == j_.end()) {
      if (needed) fail(fmt::format("lacks \"{}\"", key));
      return nullptr;
    }
    if (it->type() == type) return &*it;
    fail(fmt::format("\"{}\" has the wrong type", key));
    return nullptr;
  }
  std::string text(const char* key, bool needed) {
    const Json* const v = find(key, needed, Json::value_t::string);
    return v == nullptr ? std::string() : v->get<std::string>();
  }
  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> out;
    const Json* const list = find(key, true, Json::value_t::array);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
      (*list)[i].is_string() ? out.push_back((*list)[i].get<std::string>())
                             : fail(fmt::format("\"{}\" holds what is no string", key));
    return out;
  }
  void no_others() {
    if (!j_.is_object()) return;
    for (const auto& [key, v] : j_.items())
      if (std::find(known_.begin(), known_.end(), key) == known_.end())
        fail(fmt::format("has an unknown key \"{}\"", key));
  }
  void fail(const std::string& what) {
    if (error_.empty()) error_ = where_ + " " + what;
  }

 private:
  const Json& j_;
  std::string& error_;
  std::string where_;
  std::vector<std::string> known_;
};

// "VAR-004/gap.twin": letters, digits and -._/ only, so that an id can be typed and be a file's name.
bool is_id(const std::string& id) {
  const auto plain = [](char ch) {
    return std::isalnum(static_cast<unsigned char>(ch)) != 0 || ch == '-' || ch == '.' || ch == '/' || ch == '_';
  };
  return !id.empty() && id.size() <= 120 && std::all_of(id.begin(), id.end(), plain) &&
         id.find('/') != std::string::npos;
}

StoredCase case_of(const Json& j, std::string& error, const std::string& where) {
  StoredCase s;
  Keys k(j, error, where);
  s.c.id = k.text("id", true);
  if (!is_id(s.c.id)) k.fail("has an id of another form");
  s.c.requirements = k.texts("requirements");
  if (s.c.requirements.empty()) k.fail("names no requirement");
  s.c.comment = k.text("comment", true);
  if (s.c.comment.empty() || s.c.comment.find('\n') != std::string::npos) k.fail("has no comment of one line");
  s.c.flags = k.texts("flags");
  const std::string op = k.text("op", true);
  if (const auto known = op_named(op)) s.c.op = *known;
  else k.fail(fmt::format("has an op \"{}\" that is none", op));
  if (const Json* request = k.find("request", true, Json::value_t::object)) s.c.request = request->dump();
  if (const Json* expect = k.find("expect", true, Json::value_t::object)) {
    s.expect = expect->dump();
    const auto status = expect->find("status");
    const auto known = std::find_if(std::begin(kExpected), std::end(kExpected), [&](ReplyStatus r) {
      return status != expect->end() && *status == harness::reply_text(r, "");
    });
    if (known == std::end(kExpected)) k.fail("expects a status that is none");
    else s.c.expect = *known;
  }
  s.c.twin = k.text("twin", false);
  s.c.differs_from = k.text("differs_from", false);
  if (const Json* list = k.find("ignore", false, Json::value_t::array))
    for (const Json& i : *list) {
      Keys entry(i, error, where + ", ignore,");
      s.c.ignore.push_back({entry.text("path", true), entry.text("requirement", true)});
      entry.no_others();
      if (s.c.ignore.back().path.empty()) entry.fail("has an empty path");
    }
  k.no_others();
  s.c.status_counts = s.c.expect != ReplyStatus::ok && !s.c.requirements.empty() && names_status(s.c.requirements[0]);
  return s;
}

Json json_of(const StoredCase& s) {
  Json j = {{"id", s.c.id},         {"requirements", s.c.requirements},
            {"comment", s.c.comment}, {"flags", s.c.flags},
            {"op", name_of(s.c.op)},  {"request", Json::parse(s.c.request, nullptr, false)},
            {"expect", Json::parse(s.expect, nullptr, false)}};
  if (!s.c.twin.empty()) j["twin"] = s.c.twin;
  if (!s.c.differs_from.empty()) j["differs_from"] = s.c.differs_from;
  for (const Ignored& i : s.c.ignore) j["ignore"].push_back({{"path", i.path}, {"requirement", i.requirement}});
  return j;
}

}  // namespace

Read<CaseFile> read_cases(std::string_view text) {
  if (text.size() > kMaxVectorFile)
    return tl::unexpected(fmt::format("{} bytes, more than a vector file has", text.size()));
  std::string error;
  // Nothing in a vector file nests deeper than an answer's lists; a key twice would hide one of the two.
  std::vector<std::vector<std::string>> keys;
  const auto guard = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > 24 && error.empty()) error = "nested too deep";
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key) {
      auto& mine = keys.back();
      const auto at = std::lower_bound(mine.begin(), mine.end(), parsed.get_ref<const std::string&>());
      if (at != mine.end() && *at == parsed.get_ref<const std::string&>() && error.empty()) error = "the key \"" + *at + "\" stands twice";
      mine.insert(at, parsed.get<std::string>());
    }
    return error.empty();
  };
  const Json j = Json::parse(text, guard, false);
  if (!error.empty()) return tl::unexpected(error);
  if (j.is_discarded()) return tl::unexpected(std::string("no JSON"));
  CaseFile file;
  Keys k(j, error, "the file");
  file.suite = k.text("suite", true);
  if (file.suite != kSuiteVersion) k.fail(fmt::format("is of suite \"{}\", not {}", file.suite, kSuiteVersion));
  file.area = k.text("area", true);
  const Json* const list = k.find("cases", true, Json::value_t::array);
  k.no_others();
  if (list != nullptr && (list->empty() || list->size() > kMaxCasesOfFile)) k.fail("has no case, or too many");
  for (std::size_t i = 0; list != nullptr && error.empty() && i < list->size(); ++i) {
    const Json& entry = (*list)[i];
    const std::string id = entry.is_object() && entry.contains("id") ? entry["id"].dump() : std::to_string(i);
    file.cases.push_back(case_of(entry, error, "case " + id));
    if (error.empty() && area_of(file.cases.back().c.requirements[0]) != file.area)
      error = "case " + id + " is of another area";
  }
  if (!error.empty()) return tl::unexpected(error);
  return file;
}

std::string print_cases(const CaseFile& file) {
  std::vector<const StoredCase*> order;
  for (const StoredCase& s : file.cases) order.push_back(&s);
  std::sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->c.id < b->c.id; });
  Json cases = Json::array();
  for (const StoredCase* s : order) cases.push_back(json_of(*s));
  return Json{{"suite", file.suite}, {"area", file.area}, {"cases", std::move(cases)}}.dump(1) + "\n";
}

std::string canonical_case(const StoredCase& c) { return json_of(c).dump(); }

std::string_view area_of(std::string_view requirement) { return requirement.substr(0, requirement.find('-')); }

bool names_status(std::string_view requirement) {
  constexpr std::string_view kRows[] = {"CON-003", "CON-004", "CON-005", "CON-006", "CON-007"};
  return std::find(std::begin(kRows), std::end(kRows), requirement) != std::end(kRows);
}

}  // namespace assay::conformance
