// SPDX-License-Identifier: Apache-2.0
#include "conformance/certificate/verify.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include <fmt/format.h>

#include "conformance/certificate/failure.h"
#include "conformance/certificate/levels.h"
#include "conformance/certificate/text.h"
#include "conformance/certificate/waivers.h"
#include "conformance/suite/told.h"
#include "harness/cases/files.h"
#include "harness/compare/compare.h"

namespace assay::conformance {
namespace {

using harness::ReplyStatus;
constexpr std::size_t kMostProblems = 100;
constexpr std::time_t kDay = 24 * 60 * 60;  // clocks differ

class Check {
 public:
  Check(const std::string& directory, const SuiteNow& suite, Catalogue catalogue)
      : directory_(directory), suite_(suite), catalogue_(catalogue) {
    for (const Case& c : suite.cases) cases_.emplace(c.id, &c);
  }

  Verification run(const Rerun& rerun) {
    const auto json = harness::read_regular(directory_ + "/" + kDocuments[0]);
    if (!json) return problem(json.error()), std::move(out_);
    auto read = read_certificate(*json);
    if (!read) return problem(read.error()), std::move(out_);
    const Certificate& c = *read;
    facts(c);
    list_of_cases(c);
    for (const CaseRow& row : c.cases) verdict(row, c);
    proofs(c);
    computed(c);
    documents(c, *json);
    failure_directories(c);
    if (rerun.ask) again(c, rerun);
    return std::move(out_);
  }

 private:
  void problem(std::string what) {
    if (out_.problems.size() < kMostProblems) out_.problems.push_back(clean(what));
  }
  template <class... Args>
  void problem(fmt::format_string<Args...> form, Args&&... args) {
    problem(fmt::format(form, std::forward<Args>(args)...));
  }

  void facts(const Certificate& c) {
    if (c.run.suite_version != suite_.version)
      problem("suite version {}, the suite is {}", c.run.suite_version, suite_.version);
    if (c.run.suite_hash != suite_.hash) problem("suite hash {}, the suite's is {}", c.run.suite_hash, suite_.hash);
    if (!is_date(c.run.date)) problem("date: no date: {}", c.run.date);
    else if (c.run.date > date_of(std::time(nullptr) + kDay)) problem("date: {} is yet to come", c.run.date);
    if (c.run.order.asked == 0 && std::any_of(c.cases.begin(), c.cases.end(), [](const CaseRow& r) {
          return r.answered && r.outcome != Outcome::unsupported;
        }))
      problem("order: no case was asked again");
    for (const char letter : c.run.asked)
      if (suite_levels().find(letter) == std::string_view::npos)
        problem("asked: there is no level {}", std::string(1, letter));
    // Twins are not counted: one comes with its case.
    const auto generated = static_cast<std::size_t>(std::count_if(c.cases.begin(), c.cases.end(), [](const CaseRow& r) {
      return r.origin == Origin::generated && r.id.find(".twin") == std::string::npos;
    }));
    if (generated != c.run.generated) problem("generated: {}, its cases are {}", c.run.generated, generated);
    if (c.run.order.differ.size() > c.run.order.asked) problem("order: more cases differ than were asked");
    for (const CutOp& cut : c.run.cut) {
      const auto errors = static_cast<std::size_t>(std::count_if(c.cases.begin(), c.cases.end(), [&](const CaseRow& r) {
        return r.op == cut.op && r.outcome == Outcome::error;
      }));
      if (cut.cases > errors)
        problem("cut: {} cases of op {} were not sent, {} are errors", cut.cases, name_of(cut.op), errors);
    }
  }

  void list_of_cases(const Certificate& c) {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < c.cases.size(); ++i) {
      const CaseRow& row = c.cases[i];
      if (!seen.insert(row.id).second) problem("case {} stands twice", row.id);
      if (i > 0 && row.id < c.cases[i - 1].id) problem("case {} stands out of order", row.id);
      const auto it = cases_.find(row.id);
      if (it == cases_.end()) {
        problem("case {} is not of the suite", row.id);
        continue;
      }
      const Case& is = *it->second;
      if (row.origin != is.origin || row.op != is.op || row.requirements != is.requirements || row.expect != is.expect)
        problem("case {} is another one in the suite", row.id);
    }
    for (const Case& one : suite_.cases)
      if (!seen.contains(one.id)) problem("case {} is missing", one.id);
  }

  // What no run could have come to.
  void verdict(const CaseRow& r, const Certificate& c) {
    const auto bad = [&](std::string_view why) { problem("case {}: {} {}", r.id, name_of(r.outcome), why); };
    const bool answered = r.answered.has_value();
    if (answered != !r.sha256.empty()) bad("with an answer and no digest, or a digest and no answer");
    if (answered && (r.sha256.size() != 64 || from_hex(r.sha256).size() != 32)) bad("with a digest that is none");
    const bool refusal = r.answered == ReplyStatus::refused || r.answered == ReplyStatus::trapped;
    const bool right_end = r.expect == ReplyStatus::ok ? r.answered == ReplyStatus::ok : refusal;
    // An answer below must may end otherwise and decides nothing; it is reported then.
    const bool excused = std::any_of(r.reported.begin(), r.reported.end(), [&](const harness::Violation& v) {
      return !is_must(catalogue_, v.requirement);
    });
    if ((r.outcome == Outcome::pass || r.outcome == Outcome::unproven) && !right_end && !excused)
      bad("though the answer ended otherwise than expected");
    if (r.outcome == Outcome::pass && !answered) bad("without an answer");
    if ((r.outcome == Outcome::fail) != !r.violations.empty()) bad("beside violations, or without one");
    if (r.outcome == Outcome::fail && !answered) bad("without an answer");
    if ((r.outcome == Outcome::error || r.outcome == Outcome::unproven) && r.why.empty()) bad("without a reason");
    if (r.outcome == Outcome::unsupported && answered && r.answered != ReplyStatus::unsupported)
      bad("though it was answered");
    if (r.answered == ReplyStatus::unsupported && r.outcome != Outcome::unsupported)
      bad("though the answer is unsupported");
    for (const Shown& s : r.violations)
      if (!is_must(catalogue_, s.violation.requirement)) bad("by a row that is no must");
    const auto it = cases_.find(r.id);
    if (it == cases_.end() || r.outcome != Outcome::pass || !right_end) return;
    // Codes are exact: a right answer has one digest.
    const auto& ops = c.run.implementation.ops;
    if (std::find(ops.begin(), ops.end(), r.op) == ops.end()) bad("of an op that the implementation does not list");
    if (r.op != Op::dtype || r.expect != ReplyStatus::ok || !r.reported.empty()) return;
    const auto right = canonical_body(Op::dtype, it->second->request, it->second->answer);
    Answer expected;
    expected.status = ReplyStatus::ok;
    expected.body = right.value_or("");
    if (right && digest_of(expected) != r.sha256) bad("though its digest is not the right answer's");
  }

  // Twins and pairs.
  void proofs(const Certificate& c) {
    std::vector<Case> cases;
    std::vector<Result> results;
    for (const CaseRow& r : c.cases) {
      const auto it = cases_.find(r.id);
      if (it == cases_.end()) continue;
      Case slim;  // what settle() reads
      slim.id = r.id;
      slim.expect = it->second->expect;
      slim.twin = it->second->twin;
      slim.differs_from = it->second->differs_from;
      cases.push_back(std::move(slim));
      Result result;
      result.id = r.id;
      result.outcome = r.outcome == Outcome::unproven ? Outcome::pass : r.outcome;
      result.answered = r.answered;
      result.answer_sha256 = r.sha256;
      results.push_back(std::move(result));
    }
    settle(cases, results);
    for (const Result& result : results) {
      const auto it = std::lower_bound(c.cases.begin(), c.cases.end(), result.id,
                                       [](const CaseRow& r, const std::string& id) { return r.id < id; });
      if (it != c.cases.end() && it->id == result.id && it->outcome != result.outcome)
        problem("case {}: {} where its twin or pair makes it {}", result.id, name_of(it->outcome),
                name_of(result.outcome));
    }
  }

  // Everything that follows from the rows, computed anew.
  void computed(const Certificate& c) {
    Certificate anew = c;
    compute(anew, catalogue_);
    if (!(anew.counts == c.counts)) problem("counts: not those of the cases");
    if (anew.held != c.held) problem("held: {}, by its cases {}", c.held, anew.held);
    if (anew.problems != c.problems) problem("problems: not those of the run");
    for (std::size_t i = 0; i < anew.cases.size(); ++i)
      if (anew.cases[i].waived != c.cases[i].waived)
        problem("case {}: waived: {}, by the waivers {}", c.cases[i].id, c.cases[i].waived, anew.cases[i].waived);
    for (std::size_t i = 0; i < anew.levels.size(); ++i) {
      const LevelRow &a = anew.levels[i], &b = c.levels[i];
      if (a.held != b.held)
        problem("level {}: {}, by its cases {}", std::string(1, a.letter), b.held ? "held" : "not held",
                a.held ? "held" : "not held");
      else if (a.asked != b.asked || a.with_waivers != b.with_waivers || a.rows != b.rows || a.passed != b.passed ||
               a.missing != b.missing || a.beside != b.beside || a.why != b.why || a.title != b.title || a.part_of_suite != b.part_of_suite)
        problem("level {}: not what its cases come to", std::string(1, a.letter));
    }
    if (anew.requirements.size() != c.requirements.size())
      return problem("requirements: {}, the catalogue has {}", c.requirements.size(), anew.requirements.size());
    for (std::size_t i = 0; i < anew.requirements.size(); ++i) {
      const RequirementRow &a = anew.requirements[i], &b = c.requirements[i];
      if (a.id != b.id || a.level != b.level || a.of != b.of || a.verdict != b.verdict || !(a.counts == b.counts) ||
          a.named != b.named || a.beside != b.beside)
        problem("requirement {}: {} by {} cases, by its cases {} by {}", a.id, name_of(b.verdict), b.counts.total(),
                name_of(a.verdict), a.counts.total());
    }
  }

  void documents(const Certificate& c, const std::string& json) {
    for (const auto& [name, right] : documents_of(c, catalogue_)) {
      const auto bytes =
          name == kDocuments[0] ? harness::Stored<std::string>(json) : harness::read_regular(directory_ + "/" + name);
      if (!bytes) problem("{}", bytes.error());
      else if (*bytes != right) problem("{}: not what the certificate says, byte {}", name, difference(*bytes, right));
    }
  }
  static std::size_t difference(const std::string& a, const std::string& b) {
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  }

  void failure_directories(const Certificate& c) {
    const std::string root = directory_ + "/" + kFailures;
    std::set<std::string> listed;
    for (const CaseRow& r : c.cases) {
      if (r.files.empty()) continue;
      const std::string name = directory_of_case(r.id), path = root + "/" + name;
      listed.insert(name);
      if (r.outcome == Outcome::pass) problem("case {}: pass beside a failure directory", r.id);
      for (const auto& [file, digest] : r.files) {
        if (file.empty() || file.front() == '.' || file.find('/') != std::string::npos) {
          problem("case {}: files: no name of a file: {}", r.id, file);
          continue;
        }
        const auto bytes = harness::read_regular(path + "/" + file);
        if (!bytes) problem("{}", bytes.error());
        else if (sha256_hex(*bytes) != digest)
          problem("{}/{}/{}: not the file that the certificate lists", kFailures, name, file);
      }
    }
    if (!harness::is_directory(root)) return;
    for (const std::string& name : harness::names_in(root).value_or(std::vector<std::string>()))
      if (!listed.contains(name)) problem("{}/{}: of no case", kFailures, name);
  }

  void again(const Certificate& c, const Rerun& rerun) {
    const Implementation &was = c.run.implementation, &is_now = rerun.asked.value_or(was);
    if (clean(is_now.name) != clean(was.name) || clean(is_now.version) != clean(was.version))
      problem("implementation: the certificate's is {} {}, asked was {} {}", was.name, was.version, is_now.name,
              is_now.version);
    else if (is_now.ops != was.ops)
      problem("implementation: {} {} lists other ops than in the certificate", was.name, was.version);
    std::vector<const CaseRow*> draw;
    for (const CaseRow& r : c.cases)
      if (r.answered && cases_.contains(r.id)) draw.push_back(&r);
    std::mt19937_64 random(rerun.seed);
    std::shuffle(draw.begin(), draw.end(), random);
    // An answer says more than that there is none.
    std::partition(draw.begin(), draw.end(),
                   [](const CaseRow* r) { return r->answered != ReplyStatus::unsupported; });
    draw.resize(std::min(draw.size(), rerun.cases));
    for (const CaseRow* r : draw) {
      const Case& is = *cases_.at(r->id);
      const Answered answered = rerun.ask(is);
      ++out_.rerun;
      const Result result = judge(is, answered, catalogue_);
      if (result.answer_sha256 != r->sha256)
        problem("case {}: asked again, the answer is another one ({})", r->id,
                answered ? harness::reply_text(answered->status, "") : answered.error());
      else if ((result.outcome == Outcome::pass) != (r->outcome == Outcome::pass || r->outcome == Outcome::unproven))
        problem("case {}: {}, judged again {}", r->id, name_of(r->outcome), name_of(result.outcome));
    }
    if (out_.rerun == 0 && rerun.cases > 0) problem("no case could be asked again");
  }

  const std::string& directory_;
  const SuiteNow& suite_;
  Catalogue catalogue_;
  std::map<std::string, const Case*, std::less<>> cases_;
  Verification out_;
};

}  // namespace

std::string Verification::text() const {
  if (!ok())
    return fmt::format("{}{} problem{}", problems.size(), problems.size() == kMostProblems ? " or more" : "",
                       problems.size() == 1 ? "" : "s");
  return rerun == 0 ? "consistent, not re-run"
                    : fmt::format("consistent, {} case{} re-run", rerun, rerun == 1 ? "" : "s");
}

tl::expected<RunFacts, std::string> facts_of(const std::string& directory) {
  try {
    const auto json = harness::read_regular(directory + "/" + kDocuments[0]);
    if (!json) return tl::unexpected<std::string>(json.error());
    auto read = read_certificate(*json);
    if (!read) return tl::unexpected<std::string>(read.error());
    return std::move(read->run);
  } catch (const std::exception& e) {
    return tl::unexpected<std::string>(directory + ": " + e.what());
  }
}

Verification verify(const std::string& directory, const SuiteNow& suite, Catalogue catalogue, const Rerun& rerun) {
  try {
    return Check(directory, suite, catalogue).run(rerun);
  } catch (const std::exception& e) {
    return {{directory + ": " + e.what()}, 0};
  }
}

}  // namespace assay::conformance
