// SPDX-License-Identifier: Apache-2.0
// Answers that are stored beside a case against what the oracle answers now.
#include <algorithm>

#include "harness/cases/case_json.h"
#include "harness/cases/expected.h"
#include "harness/compare/compare.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

using namespace case_json;
using Error = tl::unexpected<std::string>;

// Where a difference breaks no row of its own: the encoding as a whole, what is in a container, graph I/O.
constexpr std::string_view kImage = "IMG-001", kMembers = "CON-012", kInputs = "IO-002", kOutputs = "IO-003";
constexpr const char* kOutcomes[] = {"ok", "refused", "trapped", "unspecified"};

std::string text_at(const Json& j, const char* key) { return value_at<std::string>(j, key).value_or(""); }

// "refused: var-missing at sg00/def.json/var/x (VAR-001, NRT_INVALID)"; of what is stored, only what is there.
std::string outcome_text(const Json& answer) {
  std::string out = text_at(answer, "outcome");
  if (out.empty()) out = "refused";
  if (out == "ok") return out;
  if (const auto reason = text_at(answer, "reason"); !reason.empty()) out += ": " + reason;
  const auto place = answer.find("place");
  if (place != answer.end()) {
    const std::string at = place->is_string() ? place->get<std::string>() : place_of(answer).text();
    if (!at.empty()) out += " at " + at;
  }
  const std::string row = text_at(answer, "requirement"), status = text_at(answer, "status");
  if (!row.empty()) out += " (" + row + (status.empty() ? "" : ", " + status) + ")";
  return out;
}

bool place_differs(const Json& stored, const Json& now) {
  const auto was = stored.find("place"), is = now.find("place");
  if (was == stored.end()) return false;
  if (is == now.end()) return true;
  if (was->is_string()) return was->get<std::string>() != place_of(now).text();
  for (const auto& [part, value] : was->items())
    if (const auto it = is->find(part); it == is->end() || *it != value) return true;
  return false;
}

class Judge {
 public:
  explicit Judge(const CaseFiles& stored, const CaseFiles& now, const Case& c) : stored_(stored), now_(now), case_(c) {}

  // The part of case.json that says how the input is refused.
  void head(const Json& head, const Json& now) {
    if (!head.contains("reason") && !head.contains("requirement")) return;
    bool same = !place_differs(head, now) && text_at(now, "outcome") != "ok";
    for (const char* key : {"reason", "requirement"})
      if (head.contains(key)) same &= head.at(key) == now.value(key, Json());
    if (!same) add(row_for(head, now), "case.json", outcome_text(head), outcome_text(now));
  }

  void answer(const Json& stored, const Json& now, const std::string& at) {
    if (!stored.is_object()) return fail(at + ": a JSON object is expected");
    const std::string outcome = text_at(stored, "outcome"), reason = text_at(stored, "reason");
    if (std::find(std::begin(kOutcomes), std::end(kOutcomes), outcome) == std::end(kOutcomes))
      return fail(fmt::format("{}: there is no outcome \"{}\"", at, outcome));
    if (stored.contains("reason") && reason_named(reason) == nullptr)
      return fail(fmt::format("{}: there is no reason \"{}\"", at, reason));
    bool same = !place_differs(stored, now);
    for (const char* key : {"outcome", "status", "reason", "requirement"})
      if (stored.contains(key)) same &= stored.at(key) == now.value(key, Json());
    if (!same) {
      add(row_for(stored, now), at, outcome_text(stored), outcome_text(now));
    } else {
      if (stored.contains("images")) images(stored.at("images"), now.value("images", Json::array()), at + "/images");
      if (const auto* d = std::get_if<DtypeCase>(&case_)) dtypes(d->request, stored, now);
      lists(stored, now, "members", kMembers, at);
      lists(stored, now, "inputs", kInputs, at);
      lists(stored, now, "outputs", kOutputs, at);
    }
    if (stored.contains("twin")) answer(stored.at("twin"), now.value("twin", Json::object()), at + "/twin");
  }

  Stored<std::vector<Violation>> done() {
    if (!error_.empty()) return Error(error_);
    return std::move(found_);
  }

 private:
  void fail(std::string error) {
    if (error_.empty()) error_ = std::move(error);
  }
  void add(std::string_view requirement, std::string place, std::string expected, std::string actual) {
    found_.push_back(
        {std::string(requirement), std::move(place), std::move(expected), std::move(actual), "stored-answer"});
  }

  // The row that a refusal names: today's, or else the stored one.
  static std::string row_for(const Json& stored, const Json& now) {
    if (const std::string row = text_at(now, "requirement"); !row.empty()) return row;
    const ReasonRow* const row = reason_named(text_at(stored, "reason"));
    return std::string(row == nullptr ? kImage : row->requirement);
  }

  const std::string* file_of(const Json& row, const CaseFiles& files) const {
    const auto it = files.find(text_at(row, "file"));
    return it == files.end() ? nullptr : &it->second;
  }

  void images(const Json& stored, const Json& now, const std::string& at) {
    if (!stored.is_array()) return fail(at + ": a JSON array is expected");
    if (stored.size() != now.size())
      return add(kImage, at, fmt::format("{} images", stored.size()), fmt::format("{} images", now.size()));
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const Json &was = stored[i], &is = now[i];
      const std::string place = fmt::format("{}/{}", at, i);
      if (!was.is_object()) return fail(place + ": a JSON object is expected");
      const std::size_t before = found_.size();
      if (const std::string name = text_at(was, "file"); !name.empty()) {
        const std::string* const bytes = file_of(was, stored_);
        if (bytes == nullptr) return fail(fmt::format("{} is missing, and expected.json names it", name));
        if (const std::string* const present = file_of(is, now_)) bytes_of(name, *bytes, *present);
      }
      if (found_.size() > before) continue;
      for (const char* key : {"name", "bytes", "crc32"})
        if (was.contains(key) && was.at(key) != is.value(key, Json()))
          add(kImage, place + "/" + key, print_line(was.at(key)), print_line(is.value(key, Json())));
    }
  }

  void bytes_of(const std::string& name, const std::string& was, const std::string& is) {
    if (was == is) return;
    std::vector<Violation> found;
    if (decode(as_bytes(was))) found = compare_images(as_bytes(was), as_bytes(is), nullptr);
    if (found.empty())
      add(kImage, name, fmt::format("{} bytes as stored", was.size()), fmt::format("{} other bytes", is.size()));
    for (Violation& v : found) add(v.requirement, name + ": " + v.place, v.expected, v.actual);
  }

  void dtypes(const DtypeRequest& request, const Json& stored, const Json& now) {
    DtypeAnswer was, is;
    for (const auto& [key, list] :
         {std::pair("match", &DtypeAnswer::match), std::pair("to_sdma", &DtypeAnswer::to_sdma),
          std::pair("cce_op", &DtypeAnswer::cce_op), std::pair("size", &DtypeAnswer::size)}) {
      const Json present = now.value(key, Json::array());
      const auto read = [](const Json& from, auto& to) {
        for (const Json& v : from)
          to.push_back(v.is_number_integer() ? std::optional(v.get<std::int64_t>()) : std::nullopt);
      };
      read(present, is.*list);
      const Json kept = stored.value(key, present);  // what is not stored is not looked at
      if (!kept.is_array()) return fail(fmt::format("expected.json: {}: a JSON array is expected", key));
      for (const Json& v : kept)
        if (!v.is_number_integer() && v != Json("refused"))
          return fail(fmt::format("expected.json: {}: an integer or \"refused\" is expected", key));
      read(kept, was.*list);
    }
    for (Violation& v : compare_dtypes(request, was, is)) add(v.requirement, v.place, v.expected, v.actual);
  }

  void lists(const Json& stored, const Json& now, const char* key, std::string_view row, const std::string& at) {
    if (!stored.contains(key)) return;
    const Json &was = stored.at(key), is = now.value(key, Json::array());
    const std::string place = at + "/" + key;
    if (!was.is_array()) return fail(place + ": a JSON array is expected");
    if (was.size() != is.size())
      return add(row, place, fmt::format("{} of them", was.size()), fmt::format("{} of them", is.size()));
    for (std::size_t i = 0; i < was.size(); ++i)
      if (was[i] != is[i]) return add(row, fmt::format("{}/{}", place, i), print_line(was[i]), print_line(is[i]));
  }

  const CaseFiles &stored_, &now_;
  const Case& case_;
  std::vector<Violation> found_;
  std::string error_;
};

// Of what can be swapped: whether the input is accepted and the twin refused for that reason.
template <class A, class B>
bool swapped(const Result<A>& input, const Result<B>& twin, Reason reason) {
  return input && !twin && twin.error().reason == reason;
}

}  // namespace

Stored<std::vector<Violation>> judge_stored(const CaseFiles& files, const Case& c) {
  const auto text = files.find("case.json"), expected = files.find("expected.json");
  const CaseFiles now = expected_files(c);
  const Json present = Json::parse(now.at("expected.json"), nullptr, false);
  Judge judge(files, now, c);
  if (text != files.end())
    if (const Json head = Json::parse(text->second, nullptr, false); head.is_object()) judge.head(head, present);
  if (expected != files.end()) judge.answer(Json::parse(expected->second, nullptr, false), present, "expected.json");
  return judge.done();
}

bool looks_swapped(const Case& c) {
  if (const auto* n = std::get_if<NearMissCase>(&c))
    return swapped(lower_model(n->miss.broken), lower_model(n->miss.twin), n->miss.kind->reason);
  if (const auto* k = std::get_if<CorruptionCase>(&c))
    return swapped(decode(k->corruption.image.view()), decode(k->valid.view()), k->corruption.kind->reason);
  if (const auto* f = std::get_if<NeffCase>(&c))
    return f->neff.kind->reason && swapped(read_neff(f->neff.file.view(), f->neff.options),
                                           read_neff(f->neff.twin.view(), f->neff.options), *f->neff.kind->reason);
  return false;
}

}  // namespace assay::harness
