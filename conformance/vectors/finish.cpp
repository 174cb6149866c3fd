// SPDX-License-Identifier: Apache-2.0
#include "conformance/vectors/finish.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/suite/told.h"

namespace assay::conformance::vectors {
namespace {

using harness::ReplyStatus;

bool has(const std::vector<std::string>& list, std::string_view value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

struct Side {
  StoredCase stored;
  Told told;
};

Read<Side> side(const Draft& d, const std::string& id, const Json& request, const std::string& say) {
  Side s;
  Case& c = s.stored.c;
  c.id = id;
  c.requirements = d.rows;
  c.comment = say;
  c.flags = d.flags;
  c.op = d.op;
  c.request = request.dump();
  auto told = told_by(harness::oracle_subject(), d.op, c.request);
  if (!told) return tl::unexpected(id + ": " + told.error());
  s.told = std::move(*told);
  c.expect = s.told.answer.status;
  const auto leanings = leanings_of(d.op, c.request, s.told);
  if (!leanings) return tl::unexpected(id + ": " + leanings.error());
  for (const Leaning& l : *leanings) {
    if (!l.path.empty()) c.ignore.push_back({l.path, l.requirement});
    else if (!has(d.flags, "real-model") && !has(d.flags, "should"))
      return tl::unexpected(fmt::format("{}: accepted by {} alone", id, l.requirement));
  }
  s.stored.expect = expect_text(d.op, s.told);
  return s;
}

std::string status(const Side& s) {
  return s.told.refusal ? s.told.refusal->text() : "accepted";
}

}  // namespace

Read<std::vector<StoredCase>> finish(const Draft& d) {
  auto own = side(d, d.id, d.request, d.say);
  if (!own) return tl::unexpected(own.error());
  std::vector<StoredCase> out;
  if (d.twin) {
    const std::string twin_id = (d.twin_of.empty() ? d.id : d.twin_of) + ".twin";
    auto twin = side(d, twin_id, *d.twin, "The input of " + d.id + " without its fault.");
    if (!twin) return tl::unexpected(twin.error());
    if (!twin->told.answer.ok()) return tl::unexpected(d.id + ": the twin is " + status(*twin));
    const auto& refusal = own->told.refusal;
    if (!refusal || refusal->row().outcome == assay::Outcome::unspecified || !has(d.rows, refusal->row().requirement))
      return tl::unexpected(d.id + ": " + status(*own) + " where one of its rows should refuse");
    own->stored.c.twin = twin_id;
    if (d.twin_of.empty()) out.push_back(std::move(twin->stored));
  } else if (!own->told.answer.ok()) {
    return tl::unexpected(d.id + ": " + status(*own));
  }
  if (d.other) {
    auto other = side(d, d.id + ".other", *d.other, "Must not be answered as " + d.id + " is.");
    if (!other) return tl::unexpected(other.error());
    if (!other->told.answer.ok()) return tl::unexpected(d.id + ": the other is " + status(*other));
    if (other->told.answer.body == own->told.answer.body) return tl::unexpected(d.id + ": the other is answered alike");
    own->stored.c.differs_from = d.id + ".other";
    out.push_back(std::move(other->stored));
  }
  out.push_back(std::move(own->stored));
  return out;
}

Read<std::vector<std::string>> blocking_rows(Op op, const std::string& request) {
  const auto told = told_by(harness::oracle_subject(), op, request);
  if (!told) return tl::unexpected(told.error());
  const auto leanings = leanings_of(op, request, *told);
  if (!leanings) return tl::unexpected(leanings.error());
  std::vector<std::string> rows;
  for (const Leaning& l : *leanings)
    if (l.path.empty()) rows.push_back(l.requirement);
  return rows;
}

}  // namespace assay::conformance::vectors
