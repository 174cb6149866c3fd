// SPDX-License-Identifier: Apache-2.0
#include "conformance/certificate/judge.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "conformance/certificate/images.h"
#include "conformance/certificate/text.h"
#include "conformance/protocol/requests.h"
#include "conformance/suite/told.h"
#include "harness/compare/compare.h"
#include "oracle/image/dump.h"
#include "oracle/image/image.h"

namespace assay::conformance {

using harness::ReplyStatus;
using harness::Violation;

namespace {

// What an op's answer is compared with, or why it is no answer that could be.
using Judged = Read<Findings>;

std::string first_row(const Case& c) {
  return c.requirements.empty() ? std::string("IMG-001") : c.requirements.front();
}

// Of what no should row can excuse.
std::string first_must(const Case& c, Catalogue catalogue) {
  for (const std::string& id : c.requirements)
    if (is_must(catalogue, id)) return id;
  return "IMG-001";
}

tl::unexpected<std::string> bad_case(const std::string& what) {
  return tl::unexpected<std::string>("the case itself cannot be read: " + what);
}
tl::unexpected<std::string> bad_answer(const std::string& what) {
  return tl::unexpected<std::string>("no answer to the request: " + what);
}

Judged judge_dtype(const Case& c, const Answer& a, Catalogue catalogue) {
  const auto request = dtype_request(std::string_view(c.request));
  if (!request) return bad_case(request.error());
  const auto expected = dtype_of(c.answer), actual = dtype_of(a.body);
  if (!expected) return bad_case(expected.error());
  if (!actual) return bad_answer(actual.error());
  const auto size = [&](const auto& x) { return x.match.size() + x.to_sdma.size() + x.cce_op.size() + x.size.size(); };
  if (size(*expected) != size(*request)) return bad_case("another number of codes than it asks for");
  if (size(*actual) != size(*request)) return bad_answer("another number of codes");
  Findings out;
  for (Violation& v : harness::compare_dtypes(*request, *expected, *actual)) {
    const Ignored* i = ignored(c.ignore, v.place);
    if (i != nullptr) v.requirement = i->requirement;
    out.add(catalogue, std::move(v), i != nullptr);
  }
  return out;
}

Judged judge_lower(const Case& c, const Answer& a, Catalogue catalogue) {
  const auto request = lower_request(std::string_view(c.request));
  if (!request) return bad_case(request.error());
  const auto expected = image_of(c.answer), actual = image_of(a.body);
  if (!expected) return bad_case(expected.error());
  if (!actual) return bad_answer(actual.error());
  const auto fields = fields_of(a.body);
  if (!fields) return bad_answer(fields.error());
  Findings out;
  compare_image(expected->view(), actual->view(), &request->request, c.ignore, "", catalogue, out);
  // The image's values are judged; fields given beside it must be those of the image itself.
  if (*fields)
    if (const auto own = inspect(actual->view()); own.view)
      compare_decoded(fields_json(*own.view), **fields, actual->view(), c.ignore, catalogue, out);
  return out;
}

// The expected value in place of each one that is ignored, so that it hides no other of its row.
void mend(GraphIo& actual, const GraphIo& expected, std::span<const Ignored> ignore) {
  const auto list = [&](const char* name, std::vector<Tensor>& to, const std::vector<Tensor>& from) {
    for (std::size_t i = 0; i < std::min(to.size(), from.size()); ++i) {
      const auto at = [&](const char* field) {
        return ignored(ignore, fmt::format("{}[{}].{}", name, i, field)) != nullptr;
      };
      if (at("name")) to[i].name = from[i].name;
      if (at("dtype")) to[i].dtype = from[i].dtype;
      if (at("shape")) to[i].shape = from[i].shape;
      if (at("size")) to[i].size = from[i].size;
    }
  };
  list("inputs", actual.inputs, expected.inputs);
  list("outputs", actual.outputs, expected.outputs);
}

Judged judge_lower_neff(const Case& c, const Answer& a, Catalogue catalogue) {
  const auto expected = lower_neff_of(c.answer);
  auto actual = lower_neff_of(a.body);
  if (!expected) return bad_case(expected.error());
  if (!actual) return bad_answer(actual.error());
  Findings out;
  for (Violation& v : harness::compare_io(expected->io, actual->io))
    if (const Ignored* i = ignored(c.ignore, v.place)) {
      v.requirement = i->requirement;
      out.add(catalogue, std::move(v), true);
    }
  mend(actual->io, expected->io, c.ignore);
  for (Violation& v : harness::compare_io(expected->io, actual->io)) out.add(catalogue, std::move(v));
  if (expected->images.size() != actual->images.size()) {
    out.add(catalogue,
            {"CON-021", "images", std::to_string(expected->images.size()), std::to_string(actual->images.size()), {}});
    return out;
  }
  for (std::size_t i = 0; i < expected->images.size(); ++i)
    compare_image(expected->images[i].view(), actual->images[i].view(), nullptr, c.ignore,
                  fmt::format("images[{}].", i), catalogue, out);
  return out;
}

Judged judge_decode(const Case& c, const Answer& a, Catalogue catalogue) {
  const auto image = decode_request(std::string_view(c.request));
  if (!image) return bad_case(image.error());
  const auto expected = fields_of(c.answer), actual = fields_of(a.body);
  if (!expected || !*expected) return bad_case("no fields");
  if (!actual || !*actual) return bad_answer("no fields");
  Findings out;
  compare_decoded(**expected, **actual, image->view(), c.ignore, catalogue, out);
  return out;
}

// Ops without a comparison of their own: their values are exact.
Judged judge_exact(const Case& c, const Answer& a, Catalogue catalogue) {
  Findings out;
  if (a.body != c.answer) out.add(catalogue, {first_row(c), "answer", clean(c.answer, 200), clean(a.body, 200), {}});
  return out;
}

using Judge = Judged (*)(const Case&, const Answer&, Catalogue);
constexpr Judge kJudges[] = {judge_dtype, judge_lower, judge_lower_neff, judge_decode,
                             judge_exact, judge_exact, judge_exact};

Judged judge_value(const Case& c, const Answer& a, Catalogue catalogue) {
  if (a.ok()) return kJudges[static_cast<std::size_t>(c.op)](c, a, catalogue);
  Findings out;
  if (a.status == ReplyStatus::ok)
    out.add(catalogue, {first_must(c, catalogue), "answer", "a value that can be read", a.problem, {}});
  else
    out.add(catalogue, {first_row(c),
                        a.at.empty() ? "answer" : clean(a.at, 200),
                        "accepted",
                        harness::reply_text(a.status, clean(a.reason, 200)),
                        {}});
  return out;
}

std::string ending(ReplyStatus status, std::optional<std::uint32_t> code) {
  return harness::reply_text(status, code ? fmt::format("code {}", *code) : "");
}

Judged judge_refusal(const Case& c, const Answer& a, Catalogue catalogue) {
  Findings out;
  if (a.status == ReplyStatus::ok) {
    out.add(catalogue,
            {first_row(c), "answer", "refused", a.problem.empty() ? "accepted" : "accepted: " + a.problem, {}});
    return out;
  }
  // A code that is not told is missing only where it is part of the row.
  const bool other_code = c.code && a.code != c.code && (c.status_counts || a.code);
  if (a.status != c.expect || other_code)
    out.add(catalogue, {first_row(c), "status", ending(c.expect, c.code), ending(a.status, a.code), {}},
            !c.status_counts);
  return out;
}

Result judged(const Case& c, const Answer& a, Catalogue catalogue) {
  Result r;
  r.id = c.id;
  r.answered = a.status;
  r.answer_sha256 = digest_of(a);
  if (a.status == ReplyStatus::unsupported) {
    r.outcome = Outcome::unsupported;
    return r;
  }
  Judged found = tl::unexpected<std::string>("an answer of no status");
  const bool ended =
      a.status == ReplyStatus::ok || a.status == ReplyStatus::refused || a.status == ReplyStatus::trapped;
  if (ended) found = c.expect == ReplyStatus::ok ? judge_value(c, a, catalogue) : judge_refusal(c, a, catalogue);
  if (!found) {
    r.outcome = Outcome::error;
    r.why = found.error();
    return r;
  }
  r.violations = std::move(found->must);
  r.reported = std::move(found->reported);
  // A case that rests on a row below must as a whole decides nothing, whatever row differs; but an answer that
  // nobody can read is right for none.
  const bool readable = a.status != ReplyStatus::ok || a.ok();
  if (readable && std::find(c.flags.begin(), c.flags.end(), "should") != c.flags.end()) {
    r.violations.insert(r.violations.end(), std::make_move_iterator(r.reported.begin()),
                        std::make_move_iterator(r.reported.end()));
    r.reported = std::exchange(r.violations, {});
  }
  r.outcome = r.violations.empty() ? Outcome::pass : Outcome::fail;
  return r;
}

}  // namespace

std::string digest_of(const Answer& answer) { return sha256_hex(canonical(answer)); }

Result judge(const Case& c, const Answered& answered, Catalogue catalogue) {
  Result r;
  r.id = c.id;
  r.outcome = Outcome::error;
  try {
    if (answered) return judged(c, *answered, catalogue);
    r.why = answered.error().empty() ? "no answer" : answered.error();
  } catch (const std::exception& e) {
    r.why = std::string("the answer could not be judged: ") + e.what();
  }
  return r;
}

void judge_again(const Case& c, const Answered& again, Catalogue catalogue, Result& result) {
  if (!result.answered) return;
  if (!again) {
    if (result.outcome != Outcome::pass) return;
    result.outcome = Outcome::error;
    result.why = "asked again: " + again.error();
    return;
  }
  if (digest_of(*again) == result.answer_sha256) return;
  result.outcome = Outcome::fail;
  const std::string row = c.op == Op::lower ? "LOW-011" : first_must(c, catalogue);
  result.violations.push_back({row, "answer", "the same again", "asked a second time, another answer", {}});
}

void settle(std::span<const Case> cases, std::vector<Result>& results) {
  std::map<std::string_view, const Result*> by_id;
  const std::vector<Result> before = results;
  for (const Result& r : before) by_id.emplace(r.id, &r);
  const auto unproven = [](Result& r, std::string why) {
    r.outcome = Outcome::unproven;
    r.why = std::move(why);
  };
  for (std::size_t i = 0; i < std::min(cases.size(), results.size()); ++i) {
    const Case& c = cases[i];
    Result& r = results[i];
    if (r.outcome != Outcome::pass) continue;
    if (c.expect != ReplyStatus::ok) {
      const auto twin = by_id.find(c.twin);
      if (c.twin.empty()) unproven(r, "the case names no twin");
      else if (twin == by_id.end()) unproven(r, fmt::format("its twin {} was not run", c.twin));
      else if (twin->second->answered != ReplyStatus::ok)
        unproven(r, fmt::format("its twin {} was not accepted", c.twin));
    }
    if (c.differs_from.empty() || r.outcome != Outcome::pass) continue;
    const auto other = by_id.find(c.differs_from);
    if (other == by_id.end() || other->second->answer_sha256.empty())
      unproven(r, fmt::format("{}, which must be answered otherwise, has no answer", c.differs_from));
    else if (other->second->answer_sha256 == r.answer_sha256)
      unproven(r, fmt::format("answered like {}", c.differs_from));
  }
}

}  // namespace assay::conformance
