// SPDX-License-Identifier: Apache-2.0
#include "harness/mutants/cached_subject.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <tuple>
#include <utility>

namespace assay::harness {
namespace {

template <class T>
T copy_of_value(const T& v) {
  return v;
}
Buffer copy_of_value(const Buffer& b) { return Buffer(b.view()); }
LowerNeffAnswer copy_of_value(const LowerNeffAnswer& a) {
  LowerNeffAnswer out;
  out.io = a.io;
  for (const Buffer& image : a.images) out.images.emplace_back(image.view());
  return out;
}
template <class T>
Reply<T> copy_of_reply(const Reply<T>& r) {
  return {r.status, copy_of_value(r.value), r.code, r.reason, r.at, r.refusal};
}

bool same(ByteView a, ByteView b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}
auto fields_of(const Fp8Overrides& f) {
  return std::tie(f.fp8_range_extension, f.emax_fp8_e4m3, f.emax_fp8_e5m2, f.ocp_sat, f.fp8_sis, f.fp8_sns);
}

// Requests as they are kept: what they borrow is copied.
struct DtypeKey {
  DtypeRequest q;
  explicit DtypeKey(const DtypeRequest& r) : q(r) {}
  bool is(const DtypeRequest& r) const {
    return q.to_sdma == r.to_sdma && q.cce_op == r.cce_op && q.size == r.size &&
           std::equal(q.match.begin(), q.match.end(), r.match.begin(), r.match.end(), [](const auto& a, const auto& b) {
             return a.neff_io == b.neff_io && a.text == b.text;
           });
  }
};
struct LowerKey {
  Members members;
  LowerRequest q;
  explicit LowerKey(const LowerRequest& r) : q(r) {
    for (const auto& [path, bytes] : *r.members) members.put(path, Buffer(bytes.view()));
  }
  bool is(const LowerRequest& r) const {
    return q.definition == r.definition && q.target == r.target && q.allow_legacy == r.allow_legacy &&
           q.subgraph == r.subgraph && fields_of(q.fp8) == fields_of(r.fp8) && members.size() == r.members->size() &&
           std::equal(members.begin(), members.end(), r.members->begin(), [](const auto& a, const auto& b) {
             return a.first == b.first && same(a.second.view(), b.second.view());
           });
  }
};
struct NeffKey {
  Buffer file;
  LowerNeffRequest q;
  explicit NeffKey(const LowerNeffRequest& r) : file(r.neff), q(r) {}
  bool is(const LowerNeffRequest& r) const {
    return q.arch == r.arch && q.allow_legacy == r.allow_legacy && q.verify_digest == r.verify_digest &&
           same(file.view(), r.neff);
  }
};
struct ImageKey {
  Buffer image;
  explicit ImageKey(ByteView v) : image(v) {}
  bool is(ByteView v) const { return same(image.view(), v); }
};

template <class Key, class T>
struct Answers {
  std::deque<std::pair<Key, Reply<T>>> kept;  // the latest first

  template <class Q, class Ask>
  Reply<T> get(const Q& q, std::size_t most, CachedSubject::Stats& stats, const Ask& ask) {
    ++stats.asked;
    for (const auto& [key, reply] : kept)
      if (key.is(q)) return copy_of_reply(reply);
    ++stats.passed_on;
    Reply<T> reply = ask();
    if (kept.size() >= most && !kept.empty()) kept.pop_back();
    if (most > 0) kept.emplace_front(Key(q), copy_of_reply(reply));
    return reply;
  }
};

}  // namespace

struct CachedSubject::Memory {
  std::size_t most;
  std::mutex guard;
  Stats stats;
  Answers<DtypeKey, DtypeAnswer> dtype;
  Answers<LowerKey, Buffer> lower;
  Answers<NeffKey, LowerNeffAnswer> lower_neff;
  Answers<ImageKey, std::string> decode;
};

CachedSubject::CachedSubject(const Subject& base, std::size_t answers)
    : base_(base), memory_(std::make_unique<Memory>()) {
  memory_->most = answers;
}
CachedSubject::~CachedSubject() = default;

std::string CachedSubject::name() const { return base_.name(); }

Reply<DtypeAnswer> CachedSubject::dtype(const DtypeRequest& q) const {
  const std::lock_guard lock(memory_->guard);
  return memory_->dtype.get(q, memory_->most, memory_->stats, [&] { return base_.dtype(q); });
}
Reply<Buffer> CachedSubject::lower(const LowerRequest& q) const {
  const std::lock_guard lock(memory_->guard);
  return memory_->lower.get(q, memory_->most, memory_->stats, [&] { return base_.lower(q); });
}
Reply<LowerNeffAnswer> CachedSubject::lower_neff(const LowerNeffRequest& q) const {
  const std::lock_guard lock(memory_->guard);
  return memory_->lower_neff.get(q, memory_->most, memory_->stats, [&] { return base_.lower_neff(q); });
}
Reply<std::string> CachedSubject::decode(ByteView image) const {
  const std::lock_guard lock(memory_->guard);
  return memory_->decode.get(image, memory_->most, memory_->stats, [&] { return base_.decode(image); });
}
CachedSubject::Stats CachedSubject::stats() const {
  const std::lock_guard lock(memory_->guard);
  return memory_->stats;
}

}  // namespace assay::harness
