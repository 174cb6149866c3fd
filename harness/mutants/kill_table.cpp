// SPDX-License-Identifier: Apache-2.0
#include "harness/mutants/kill_table.h"

#include <algorithm>
#include <mutex>
#include <thread>

#include "harness/mutants/cached_subject.h"
#include "harness/mutants/mutant.h"
#include "harness/properties/property.h"

namespace assay::harness {
namespace {

struct Drawn {
  const Property* property;
  Case value;
};

// Case i of the sequence, of a property drawn by weight.
Drawn draw(std::uint64_t seed, std::uint64_t i) {
  RandomChoices c(seed * 0x9E3779B97F4A7C15ULL + i);
  std::uint64_t total = 0;
  for (const Property& p : properties()) total += p.weight;
  std::uint64_t at = c.below(std::max<std::uint64_t>(total, 1));
  for (const Property& p : properties()) {
    if (at < p.weight) return {&p, p.generate(c)};
    at -= p.weight;
  }
  const Property& last = properties().back();
  return {&last, last.generate(c)};
}

// One mutant under way.
struct Run {
  Run(const Mutant& m, const Subject& base)
      : subject(make_mutant(m, base)), row{std::string(m.id), std::string(m.requirement), {}, 0, 0, 0, {}} {}

  bool done() const { return row.killed_by && row.agreed >= kAgreedEnough; }

  void take(std::uint64_t number, const Property& property, const Verdict& v) {
    if (!row.killed_by) row.cases = number;
    if (v.holds()) ++row.agreed;
    if (!v.is_violated()) return;
    if (v.requirement() == row.requirement) {
      if (!row.killed_by) row.killed_by = std::string(property.name);
      return;
    }
    ++row.others;
    if (!row.other.empty()) return;
    for (const Violation& violation : v.violations)
      if (violation.requirement != row.requirement) {
        row.other = violation.text();
        return;
      }
  }

  std::unique_ptr<Subject> subject;
  KillRow row;
};

}  // namespace

std::vector<KillRow> kill_table(std::uint64_t seed, std::uint64_t cases, unsigned jobs,
                                const std::function<void(std::size_t, std::size_t)>& progress,
                                const std::function<bool()>& interrupted) {
  const std::span<const Mutant> all = mutants();
  std::vector<KillRow> table(all.size());
  if (properties().empty()) cases = 0;
  std::mutex guard;
  std::size_t left = 0;
  const auto report = [&] {
    const std::lock_guard lock(guard);
    ++left;
    if (progress) progress(left, all.size());
  };
  // Every worker makes each case for itself, and asks the oracle once for all its mutants.
  const auto work = [&](unsigned worker) {
    const CachedSubject oracle(oracle_subject());
    std::vector<std::pair<std::size_t, Run>> runs;
    for (std::size_t m = worker; m < all.size(); m += jobs) runs.emplace_back(m, Run(all[m], oracle));
    std::size_t live = runs.size();
    for (std::uint64_t i = 0; i < cases && live > 0; ++i) {
      const Drawn drawn = draw(seed, i);
      for (auto& [m, run] : runs) {
        if (run.done()) continue;
        if (interrupted && interrupted()) return;
        run.take(i + 1, *drawn.property, drawn.property->judge(*run.subject, drawn.value));
        if (!run.done()) continue;
        --live;
        report();
      }
    }
    for (auto& [m, run] : runs) {
      if (!run.done()) report();
      table[m] = std::move(run.row);
    }
  };
  jobs = std::clamp<unsigned>(jobs, 1, static_cast<unsigned>(std::max<std::size_t>(all.size(), 1)));
  std::vector<std::thread> threads;
  for (unsigned w = 1; w < jobs; ++w) threads.emplace_back(work, w);
  work(0);
  for (std::thread& t : threads) t.join();
  if (interrupted && interrupted()) table.clear();
  return table;
}

}  // namespace assay::harness
