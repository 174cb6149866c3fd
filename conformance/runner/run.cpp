// SPDX-License-Identifier: Apache-2.0
#include "conformance/runner/run.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace assay::conformance {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

// Fisher and Yates; std::shuffle's order is each library's own.
void shuffle(std::vector<std::size_t>& list, std::mt19937_64& random) {
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random() % i]);
}

bool asked_twice(const Case& c) { return std::find(c.flags.begin(), c.flags.end(), "twice") != c.flags.end(); }

// Which case each question of ask_all is, so that the two of a case asked twice go to one session, one behind the
// other: question p goes to session p % jobs. Lists are filled up to one length by asking their last case once more.
std::vector<std::size_t> positions(std::span<const Case> cases, std::size_t jobs, std::mt19937_64& random) {
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, random);
  jobs = std::min(jobs, order.size());
  std::vector<std::vector<std::size_t>> lists(jobs);
  for (const std::size_t i : order) {
    auto& list = *std::min_element(lists.begin(), lists.end(),
                                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
    list.insert(list.end(), asked_twice(cases[i]) ? 2 : 1, i);
  }
  std::size_t longest = 0;
  for (const auto& list : lists) longest = std::max(longest, list.size());
  std::vector<std::size_t> out(longest * jobs, kNone);
  for (std::size_t j = 0; j < jobs; ++j) {
    lists[j].resize(longest, lists[j].back());
    for (std::size_t i = 0; i < longest; ++i) out[i * jobs + j] = lists[j][i];
  }
  return out;
}

class Run {
 public:
  Run(std::span<const Case> cases, Catalogue catalogue, const RunPlan& plan)
      : cases_(cases), catalogue_(catalogue), plan_(plan), random_(plan.seed), told_(cases.size(), false) {
    out_.results.resize(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      out_.results[i].id = cases[i].id;
      out_.results[i].why = "not asked";
    }
  }

  Read<RunOutcome> run() {
    if (cases_.empty()) return tl::unexpected<std::string>("there is no case");
    const std::size_t jobs = std::clamp<std::size_t>(plan_.jobs, 1, 64);
    const std::vector<std::size_t> asked = positions(cases_, jobs, random_);
    std::vector<Question> questions;
    for (const std::size_t i : asked) questions.push_back({cases_[i].op, cases_[i].request});
    auto ended = ask_all(
        plan_.command, plan_.limits, plan_.suite, static_cast<unsigned>(std::min(jobs, cases_.size())), questions,
        [&](std::size_t p, Ending ending) { take(asked[p], std::move(ending)); }, plan_.stop);
    if (!ended) return tl::unexpected<std::string>(ended.error());
    out_.hello = std::move(ended->hello);
    out_.notes = std::move(ended->notes);
    std::sort(out_.cut.begin(), out_.cut.end(), [](const CutOp& a, const CutOp& b) { return a.op < b.op; });
    if (!stopped() && plan_.sample > 0) ask_again();
    settle(cases_, out_.results);
    return std::move(out_);
  }

 private:
  bool stopped() const { return plan_.stop != nullptr && plan_.stop->load(); }
  static bool bad(const Result& r) { return r.outcome == Outcome::fail || r.outcome == Outcome::error; }

  void take(std::size_t i, Ending ending) {
    Result& r = out_.results[i];
    const bool first = !told_[i];
    if (first && ending.trouble == Trouble::not_sent) count_cut(i, ending.why);
    const std::uint64_t micros = ending.micros;
    const Answered answered = answered_of(std::move(ending));
    const bool was_bad = bad(r);
    if (first) {
      r = judge(cases_[i], answered, catalogue_);
      r.micros = micros;
      told_[i] = true;
      ++done_;
    } else {
      judge_again(cases_[i], answered, catalogue_, r);
    }
    // Of a case whose second answer is another one, that one is worth keeping.
    if (bad(r) && !was_bad) {
      out_.kept.insert_or_assign(i, answered);
      ++not_passed_;
    }
    if (plan_.progress) plan_.progress(done_, not_passed_);
  }

  // Sessions may give an op up for different reasons: that of the first case is told, whoever was first in time.
  void count_cut(std::size_t i, const std::string& why) {
    const Op op = cases_[i].op;
    const auto it = std::find_if(out_.cut.begin(), out_.cut.end(), [&](const CutOp& c) { return c.op == op; });
    if (it == out_.cut.end()) {
      out_.cut.push_back({op, why, 1});
      first_cut_[op] = i;
      return;
    }
    ++it->cases;
    if (i > first_cut_[op]) return;
    first_cut_[op] = i;
    it->why = why;
  }

  // A sample in a fresh process and another order: an answer must hang on nothing that was asked before.
  void ask_again() {
    std::vector<std::size_t> draw;
    for (std::size_t i = 0; i < cases_.size(); ++i)
      if (out_.results[i].answered && out_.results[i].outcome != Outcome::unsupported) draw.push_back(i);
    shuffle(draw, random_);
    draw.resize(std::min(draw.size(), plan_.sample));
    if (draw.empty()) return;
    auto session = Session::start(plan_.command, plan_.limits, plan_.suite, plan_.stop);
    std::string why = session ? difference(out_.hello, session->hello()) : session.error();
    if (!why.empty()) {  // or who would not be asked twice had only to stay away
      if (stopped()) return;
      for (const std::size_t i : draw) take_again(i, tl::unexpected<std::string>(why));
      return;
    }
    std::vector<Question> questions;
    for (const std::size_t i : draw) questions.push_back({cases_[i].op, cases_[i].request});
    session->ask(questions, [&](std::size_t p, Ending ending) {
      if (ending.trouble != Trouble::not_sent) take_again(draw[p], answered_of(std::move(ending)));
    });
    out_.notes.starts += session->notes().starts;
  }

  void take_again(std::size_t i, const Answered& again) {
    Result& r = out_.results[i];
    const bool was_bad = bad(r);
    ++out_.order.asked;
    if (!again || digest_of(*again) != r.answer_sha256) out_.order.differ.push_back(cases_[i].id);
    judge_again(cases_[i], again, catalogue_, r);
    if (bad(r) && !was_bad) out_.kept.insert_or_assign(i, again);
  }

  std::span<const Case> cases_;
  Catalogue catalogue_;
  const RunPlan& plan_;
  std::mt19937_64 random_;
  std::vector<bool> told_;
  std::size_t done_ = 0, not_passed_ = 0;
  std::map<Op, std::size_t> first_cut_;
  RunOutcome out_;
};

}  // namespace

Answered answered_of(Ending ending) {
  if (ending.answered()) return std::move(ending.answer);
  return tl::unexpected<std::string>(std::move(ending.why));
}

Read<RunOutcome> run_cases(std::span<const Case> cases, Catalogue catalogue, const RunPlan& plan) {
  return Run(cases, catalogue, plan).run();
}

}  // namespace assay::conformance
