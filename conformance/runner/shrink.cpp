// SPDX-License-Identifier: Apache-2.0
#include "conformance/runner/shrink.h"

#include <algorithm>
#include <atomic>

#include "conformance/protocol/requests.h"
#include "conformance/runner/run.h"
#include "conformance/suite/told.h"
#include "harness/reduce/reduce.h"

namespace assay::conformance {
namespace {

using harness::Model;
using harness::ReplyStatus;
using Clock = std::chrono::steady_clock;

class Search {
 public:
  Search(Session& session, Catalogue catalogue, const ShrinkLimits& limits, const Case& whole,
         const Result& failed)
      : session_(session), catalogue_(catalogue), limits_(limits), whole_(whole),
        row_(failed.violations.empty() ? "" : failed.violations.front().requirement), death_(death_in(failed)),
        end_(Clock::now() + limits.time) {}

  std::optional<Smaller> run() {
    Case as_it_is = whole_;
    if ((row_.empty() && death_.empty()) || !answered(as_it_is, leans_)) return std::nullopt;
    switch (whole_.op) {
      case Op::dtype: dtypes(); break;
      case Op::lower: lowering(); break;
      case Op::lower_neff: file(); break;
      case Op::decode: image(); break;
      default: break;
    }
    if (!best_ || best_->c.request.size() >= whole_.request.size()) return std::nullopt;
    return std::move(*best_);
  }

 private:
  // How the implementation died of a case, or "".
  static std::string death_in(const Result& r) {
    const bool died = r.outcome == Outcome::error && (r.why.starts_with("crash: ") || r.why.starts_with("exit: "));
    return died ? r.why : "";
  }

  bool is_same(const Result& r) const {
    if (row_.empty()) return death_in(r) == death_;
    return r.outcome == Outcome::fail &&
           std::any_of(r.violations.begin(), r.violations.end(),
                       [&](const harness::Violation& v) { return v.requirement == row_; });
  }

  // Whether a request still shows it; then it is the best so far.
  bool fails(const Read<std::string>& request) {
    if (questions_ >= limits_.questions || ++candidates_ > limits_.candidates || Clock::now() > end_) stop_ = true;
    if (stop_ || !request) return false;
    Smaller s{whole_, tl::unexpected<std::string>("")};
    s.c.request = *request;
    bool leans = false;
    if (!answered(s.c, leans) || (leans && !leans_)) return false;
    ++questions_;
    s.answered = answered_of(session_.ask({s.c.op, s.c.request}));
    const bool same = is_same(judge(s.c, s.answered, catalogue_));
    if (same) best_ = std::move(s);
    return same;
  }

  // Fills in what the oracle answers, and whether its acceptance rests on a row below must. False: it ends otherwise
  // than the whole case.
  bool answered(Case& c, bool& leans) const {
    const auto told = told_by(harness::oracle_subject(), c.op, c.request);
    if (!told || told->answer.status != whole_.expect) return false;
    if (told->refusal) {
      const std::string_view by = told->refusal->row().requirement;
      if (std::find(whole_.requirements.begin(), whole_.requirements.end(), by) == whole_.requirements.end())
        return false;
    }
    const auto leanings = leanings_of(c.op, c.request, *told);
    if (!leanings) return false;
    c.ignore.clear();
    leans = false;
    for (const Leaning& l : *leanings)
      if (l.path.empty()) leans = true;
      else c.ignore.push_back({l.path, l.requirement});
    c.answer = told->answer.body;
    c.code = told->answer.ok() ? std::nullopt : told->answer.code;
    return true;
  }

  harness::ReduceLimits reduce_limits() const { return {limits_.candidates, &stop_}; }

  void dtypes() {
    const auto q = dtype_request(std::string_view(whole_.request));
    if (!q) return;
    const auto alone = [&](auto harness::DtypeRequest::*list) {
      for (const auto& value : (*q).*list) {
        harness::DtypeRequest one;
        (one.*list).push_back(value);
        if (fails(request_of(one))) return true;
      }
      return false;
    };
    alone(&harness::DtypeRequest::match) || alone(&harness::DtypeRequest::to_sdma) ||
        alone(&harness::DtypeRequest::cce_op) || alone(&harness::DtypeRequest::size);
  }

  // Every member that can be a document is one. (A request to lower has no manifest to say which are.)
  static Model documents_of(const Members& members) {
    Model m = harness::from_members(members, {});
    for (auto& [path, member] : m.members) {
      if (member.is_json() || path.size() < 5 || path.compare(path.size() - 5, 5, ".json") != 0) continue;
      if (auto doc = harness::document_in(path, member.bytes)) m.put(path, std::move(*doc));
    }
    return m;
  }

  void model(Model m, const std::function<Read<std::string>(const Model&)>& request) {
    if (!fails(request(m))) return;
    harness::reduce_model(m, [&](const Model& candidate) { return fails(request(candidate)); }, reduce_limits());
  }

  void lowering() {
    const auto q = lower_request(std::string_view(whole_.request));
    if (!q) return;
    model(documents_of(*q->members), [&](const Model& m) {
      const Members members = harness::to_members(m);
      harness::LowerRequest smaller = q->request;
      smaller.members = &members;
      return request_of(smaller);
    });
  }

  void file() {
    const auto q = lower_neff_request(std::string_view(whole_.request));
    if (!q) return;
    const auto members = read_neff(q->request.neff, {});
    const auto header = read_header(q->request.neff);
    if (!members || !header) return;
    model(harness::from_members(*members, {}), [&](const Model& m) -> Read<std::string> {
      const auto packed = harness::to_neff(m, header->pkg_version);
      if (!packed) return tl::unexpected<std::string>("no file can hold it");
      harness::LowerNeffRequest smaller = q->request;
      smaller.neff = packed->view();
      return request_of(smaller);
    });
  }

  void image() {
    auto bytes = decode_request(std::string_view(whole_.request));
    if (!bytes) return;
    harness::reduce_image(
        *bytes, [&](ByteView candidate) { return fails(request_of_decode(candidate)); }, reduce_limits());
  }

  Session& session_;
  Catalogue catalogue_;
  const ShrinkLimits& limits_;
  const Case& whole_;
  const std::string row_, death_;  // one of the two is empty
  const Clock::time_point end_;
  std::uint64_t questions_ = 0, candidates_ = 0;
  std::atomic<bool> stop_ = false;
  bool leans_ = false;  // the whole case does: real models
  std::optional<Smaller> best_;
};

}  // namespace

Shrink shrink_by_asking(Session& session, Catalogue catalogue, ShrinkLimits limits) {
  return [&session, catalogue, limits](const Case& c, const Result& failed) {
    return Search(session, catalogue, limits, c, failed).run();
  };
}

}  // namespace assay::conformance
