// SPDX-License-Identifier: Apache-2.0
#include "harness/rapidcheck/batch.h"

#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

namespace assay::harness {
namespace {

using rc::detail::CaseDescription;
using rc::detail::CaseResult;

struct Batch {
  const BatchSpec& spec;
  const BatchEvents& events;
  BatchResult result;
  std::optional<OracleView> oracle;  // of the failing case, once it shrinks
};

// What RapidCheck draws: a case, and where the search for smaller ones stands.
struct Drawn {
  std::shared_ptr<const Case> c;  // null: the time is up
  std::uint64_t seed = 0;
  Cursor cursor;
  bool is_candidate = false;
  Batch* batch = nullptr;
};

template <class F, class... Args>
void tell(const F& f, const Args&... args) {
  if (f) f(args...);
}

rc::Gen<Drawn> cases(Batch& batch) {
  return rc::Gen<Drawn>([&batch](const rc::Random& random, int) {
    Drawn d;
    d.batch = &batch;
    if (batch.events.go_on && !batch.events.go_on()) return rc::shrinkable::just(std::move(d));
    rc::Random source = random;
    d.seed = source.next();
    tell(batch.events.generating, d.seed);
    d.c = std::make_shared<const Case>(case_from_seed(*batch.spec.property, d.seed));
    return rc::shrinkable::just(std::move(d));
  });
}

// Smaller cases of the same sort, each with a cursor that goes on from where it was made.
struct Smaller {
  Drawn at;

  rc::Maybe<Drawn> operator()() {
    Batch& b = *at.batch;
    if (!at.c || !b.result.failure) return rc::Nothing;
    BatchFailure& failure = *b.result.failure;
    if (!b.oracle) b.oracle.emplace(*at.c);
    while (failure.checks < b.spec.reduce_checks && (!b.events.go_on || b.events.go_on())) {
      tell(b.events.reducing);
      auto candidate = next_smaller(*at.c, at.cursor);
      if (!candidate) return rc::Nothing;
      ++failure.checks;
      if (!b.oracle->same_sort(*candidate)) continue;
      Drawn next = at;
      next.is_candidate = true;
      next.c = std::make_shared<const Case>(std::move(*candidate));
      next.cursor.accept();
      return next;
    }
    return rc::Nothing;
  }
};

CaseDescription described(CaseResult::Type type) {
  return {CaseResult(type), {}, [] { return rc::detail::Example(); }};
}

bool fails(const Drawn& d) {
  Batch& b = *d.batch;
  const Property& property = *b.spec.property;
  if (!d.is_candidate) {
    // RapidCheck asks again at the end, when there is nothing smaller.
    if (b.result.failure) return true;
    tell(b.events.checking, *d.c);
    Verdict v = property.judge(*b.spec.subject, *d.c);
    ++b.result.cases;
    if (v.kind == Verdict::Kind::cannot_say) {
      ++b.result.cannot_say;
      b.result.why = v.why;
    }
    if (!v.is_violated()) return false;
    BatchFailure f{d.seed, copy_of(*d.c), v, signature_of(property, v), 0};
    b.result.failure = std::move(f);
    return true;
  }
  BatchFailure& failure = *b.result.failure;
  tell(b.events.reducing);
  Verdict v = property.judge(*b.spec.subject, *d.c);
  if (!v.is_violated() || signature_of(property, v) != failure.signature) return false;
  failure.smallest = copy_of(*d.c);
  failure.verdict = std::move(v);
  return true;
}

CaseDescription judge(const Drawn& d) {
  if (!d.c || !d.batch->result.error.empty()) return described(CaseResult::Type::Success);
  try {
    return described(fails(d) ? CaseResult::Type::Failure : CaseResult::Type::Success);
  } catch (const std::exception& e) {
    // A property does not throw; what reaches here is memory that ran out.
    d.batch->result.error = e.what();
    return described(CaseResult::Type::Success);
  }
}

}  // namespace

Case case_from_seed(const Property& property, std::uint64_t seed) {
  RandomChoices choices(seed);
  return property.generate(choices);
}

std::uint64_t mixed_seed(std::uint64_t seed, std::string_view name, std::uint64_t batch, std::uint64_t done) {
  std::uint64_t state = RandomChoices(seed).bits();
  for (const char ch : name) state = RandomChoices(state ^ static_cast<std::uint8_t>(ch)).bits();
  state = RandomChoices(state ^ batch).bits();
  return RandomChoices(state ^ done).bits();
}

BatchResult run_batch(const BatchSpec& spec, const BatchEvents& events) {
  Batch batch{spec, events, {}, std::nullopt};
  const auto smaller = [](Drawn&& d) {
    const Batch& b = *d.batch;
    const bool wanted = b.result.failure && b.result.error.empty() &&
                        (!b.events.worth_reducing || b.events.worth_reducing(b.result.failure->signature));
    return wanted ? rc::makeSeq<Smaller>(Smaller{std::move(d)}) : rc::Seq<Drawn>();
  };
  rc::detail::TestParams params;
  params.seed = spec.seed;
  params.maxSuccess = static_cast<int>(std::min<std::uint64_t>(spec.cases, 1 << 30));
  rc::detail::TestListenerAdapter silent;
  const auto outcome = rc::detail::checkProperty(
      rc::gen::map(rc::gen::shrink(rc::gen::noShrink(cases(batch)), smaller), judge), {}, params, silent, {});
  if (!batch.result.failure && batch.result.error.empty() && !outcome.is<rc::detail::SuccessResult>())
    batch.result.error = "a case could not be made";
  return std::move(batch.result);
}

}  // namespace assay::harness
