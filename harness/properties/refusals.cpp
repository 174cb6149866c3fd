// SPDX-License-Identifier: Apache-2.0
// What must be refused, each for its own row at its own place, and its twin that must not be.
#include <fmt/format.h>

#include "harness/compare/compare.h"
#include "harness/properties/ask.h"
#include "harness/properties/checks.h"
#include "oracle/lower/lower.h"

namespace assay::harness::checks {
namespace {

// How a refusal must look: of an implementation that tells its reason, the reason and place as well.
struct Wanted {
  Reason reason;
  Place place;  // empty parts are not looked at
  const ReasonRow& row() const { return row_of(reason); }
};

// A refusal as what is expected of it reads, the prose after it: "refused: var-missing at m/p (…)".
std::string told(const Refusal& r) {
  const std::string at = r.place.text();
  return fmt::format("refused: {}{}{} ({}: {}{}{})", r.row().id, at.empty() ? "" : " at ", at, r.row().requirement,
                     r.row().text, r.detail.empty() ? "" : ": ", r.detail);
}

template <class T>
void judge(const Reply<T>& reply, const Wanted& want, const std::string& what, std::vector<Violation>& out) {
  const std::string row(want.row().requirement);
  const std::string expected = fmt::format("refused: {}", want.row().id);
  if (!reply.refused()) {
    out.push_back({row, what, expected, reply_text(reply.status, reply.reason), {}});
    return;
  }
  if (!reply.refusal) return;
  const Refusal& r = *reply.refusal;
  const Place& p = want.place;
  if (r.row().requirement != want.row().requirement) {
    out.push_back({row, what, expected, told(r), {}});
  } else if ((!p.member.empty() && r.place.member != p.member) || (!p.pointer.empty() && r.place.pointer != p.pointer) ||
             (p.offset && r.place.offset != p.offset)) {
    out.push_back({row, what, fmt::format("{} at {}", expected, p.text()), told(r), {}});
  }
}

// A model's answer as a whole: through `lower` where its manifests are read, else as a file.
struct Whole {
  ReplyStatus status = ReplyStatus::ok;
  std::string reason;
  std::optional<Refusal> refusal;
  bool ok() const { return status == ReplyStatus::ok; }
  bool refused() const { return status == ReplyStatus::refused || status == ReplyStatus::trapped; }
};

template <class T>
Whole whole_of(const Reply<T>& r) {
  return {r.status, r.reason, r.refusal};
}

Whole lower_model(const Subject& s, const Model& model, const Asked& asked) {
  if (asked.manifest()) {
    const auto replies = lower_all(s, asked);
    return replies.empty() ? Whole{} : whole_of(*replies.back());
  }
  const auto neff = to_neff(model, 1);
  if (!neff) return {ReplyStatus::error, neff.error().text(), neff.error()};
  LowerNeffRequest q;
  q.neff = neff->view();
  if (model.options.arch) q.arch = static_cast<std::uint32_t>(code(*model.options.arch));
  q.allow_legacy = model.options.allow_legacy;
  return whole_of(s.lower_neff(q));
}

Reply<int> as_reply(const Whole& w) { return {w.status, 0, {}, w.reason, {}, w.refusal}; }

}  // namespace

Verdict near_miss_refused(const Subject& s, const Case& c) {
  const NearMiss& miss = std::get<NearMissCase>(c).miss;
  const std::string what = miss.place.text().empty() ? std::string(miss.kind->name) : miss.place.text();
  std::vector<Violation> found;
  const Asked broken(miss.broken);
  judge(as_reply(lower_model(s, miss.broken, broken)), {miss.kind->reason, miss.place}, what, found);
  if (!found.empty()) return Verdict::of(std::move(found));
  // A refusal whose twin is refused too proves nothing.
  const Asked twin(miss.twin);
  if (const Whole w = lower_model(s, miss.twin, twin); !w.ok()) found.push_back(unwanted(as_reply(w), kNoRow, "the twin"));
  return Verdict::of(std::move(found));
}

Verdict misspelt_refused(const Subject& s, const Case& c) {
  const TextCase& text = std::get<TextCase>(c);
  if (!text.reason) return Verdict::cannot_say("a text that means the same");
  const Asked asked(text.model);
  std::vector<Violation> found;
  bool judged = false;
  for (std::size_t i = 0; i < asked.graphs(); ++i) {
    LowerRequest q = asked.request(i);
    if (q.definition != text.definition) continue;
    judged = true;
    // A refusal whose twin is refused too proves nothing.
    if (const auto twin = s.lower(q); !twin.ok()) return Verdict::violated(unwanted(twin, kNoRow, "the twin"));
    Members other;
    for (const auto& [path, bytes] : asked.members()) other.put(path, Buffer(bytes.view()));
    other.put(text.definition, Buffer(std::string_view(text.text)));
    q.members = &other;
    judge(s.lower(q), {*text.reason, {text.definition, {}, {}, {}}}, fmt::format("{} ({})", text.definition, text.kind), found);
  }
  if (!judged) return Verdict::cannot_say("no graph has this definition");
  return Verdict::of(std::move(found));
}

Verdict corruption_refused(const Subject& s, const Case& c) {
  const CorruptionCase& k = std::get<CorruptionCase>(c);
  std::vector<Violation> found;
  judge(s.decode(k.corruption.image.view()), {k.corruption.kind->reason, {{}, {}, k.corruption.offset, {}}},
        std::string(k.corruption.kind->name), found);
  if (!found.empty()) return Verdict::of(std::move(found));
  if (const auto twin = s.decode(k.valid.view()); !twin.ok()) found.push_back(unwanted(twin, "IMG-002", "the twin"));
  return Verdict::of(std::move(found));
}

Verdict neff_as_told(const Subject& s, const Case& c) {
  const Neff& neff = std::get<NeffCase>(c).neff;
  const auto ask = [&](ByteView file) {
    LowerNeffRequest q;
    q.neff = file;
    if (neff.options.arch) q.arch = static_cast<std::uint32_t>(code(*neff.options.arch));
    q.allow_legacy = neff.options.allow_legacy;
    q.verify_digest = neff.options.verify_digest;
    return q;
  };
  std::vector<Violation> found;
  Place place;
  if (neff.offset != ~std::uint64_t{0}) place.offset = neff.offset;
  if (neff.kind->reason && row_of(*neff.kind->reason).requirement.substr(0, 6) == "limit:") {
    // This project's own bounds: no operation of a subject takes them.
    const auto lowered = assay::lower_neff(neff.file.view(), neff.options);
    judge(lowered ? Reply<int>::of(0) : Reply<int>::of(lowered.error()), {*neff.kind->reason, place}, std::string(neff.kind->name), found);
    return Verdict::of(std::move(found));
  }
  if (neff.kind->reason) {
    judge(s.lower_neff(ask(neff.file.view())), {*neff.kind->reason, place}, std::string(neff.kind->name), found);
    if (!found.empty()) return Verdict::of(std::move(found));
  }
  // What is read comes to the same as its members do in the plainest container.
  PackOptions plain;
  plain.pkg_version = 1;
  const auto packed = pack(neff.members, plain);
  // Paths that no packer writes are read all the same: the measure is then the oracle's own reading.
  if (!packed) return Verdict::of(
      compare_files(s.lower_neff(ask(neff.file.view())), reference().lower_neff(ask(neff.file.view()))));
  LowerNeffRequest q = ask(packed->view());
  q.verify_digest = false;
  const auto expected = reference().lower_neff(q);
  const LowerNeffRequest readable = ask(neff.kind->reason ? neff.twin.view() : neff.file.view());
  if (!expected.ok()) {  // an archive of nothing is read, and refused later for what it lacks
    judge(s.lower_neff(readable), {expected.refusal->reason, {}}, std::string(neff.kind->name), found);
    return Verdict::of(std::move(found));
  }
  if (const auto reply = s.lower_neff(readable); !reply.ok()) return Verdict::violated(unwanted(reply, "CON-012", std::string(neff.kind->name)));
  return Verdict::of(compare_files(s.lower_neff(readable), expected));
}

}  // namespace assay::harness::checks
