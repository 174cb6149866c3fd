// SPDX-License-Identifier: Apache-2.0
#include "harness/cases/reduce_case.h"

#include <algorithm>
#include <cctype>

#include "oracle/image/image.h"

namespace assay::harness {
namespace {

template <class T>
std::optional<Reason> reason_of(const Result<T>& r) {
  return r ? std::nullopt : std::optional(r.error().reason);
}

Members members_of(const TextCase& c) {
  Members members = to_members(c.model);
  members.put(c.definition, Buffer(c.text));
  return members;
}

bool agrees(const Place& expected, const Place& actual) {
  return (expected.member.empty() || expected.member == actual.member) &&
         (expected.pointer.empty() || expected.pointer == actual.pointer) &&
         (!expected.offset || expected.offset == actual.offset);
}

// ---- candidates ----

std::optional<Case> smaller(const ModelCase& c, Cursor& cursor) {
  while (const auto edit = next_edit(c.model, cursor)) {
    ModelCase next = c;
    if (apply(*edit, next.model)) return next;
  }
  return std::nullopt;
}

std::optional<Case> smaller(const NearMissCase& c, Cursor& cursor) {
  while (const auto edit = next_edit(c.miss.twin, cursor)) {
    NearMissCase next = c;
    if (apply(*edit, next.miss.twin) && apply(*edit, next.miss.broken)) return next;
  }
  return std::nullopt;
}

// Spelled anew from the same seed: the same fault, if the choices still lead to it.
bool spell(TextCase& c) {
  const auto it = c.model.members.find(c.definition);
  if (it == c.model.members.end() || !it->second.is_json()) return false;
  RandomChoices choices(c.seed);
  if (!c.reason) {
    c.text = respell(choices, it->second.doc);
    return true;
  }
  BadText bad = misspell(choices, it->second.doc);
  c.text = std::move(bad.text);
  return bad.kind == c.kind && bad.reason == *c.reason;
}

std::optional<Case> smaller(const TextCase& c, Cursor& cursor) {
  while (const auto edit = next_edit(c.model, cursor)) {
    TextCase next = c;
    if (apply(*edit, next.model) && spell(next)) return next;
  }
  return std::nullopt;
}

std::optional<Case> smaller(const ImageCase& c, Cursor& cursor) {
  auto image = next_smaller(c.image.view(), cursor);
  if (!image) return std::nullopt;
  return ImageCase{std::move(*image)};
}

std::optional<Case> smaller(const CorruptionCase& c, Cursor& cursor) {
  if (Cursor fresh; !next_smaller(c.corruption.image.view(), fresh)) {
    // Too damaged to have parts: the twin's are left out, and what remains is corrupted anew, always from the
    // same choices.
    while (auto valid = next_smaller(c.valid.view(), cursor)) {
      RandomChoices choices(0);
      if (auto again = corrupt(choices, valid->view(), *c.corruption.kind))
        return CorruptionCase{std::move(*valid), std::move(*again)};
    }
    return std::nullopt;
  }
  auto image = next_smaller(c.corruption.image.view(), cursor);
  if (!image) return std::nullopt;
  return CorruptionCase{Buffer(c.valid.view()), {c.corruption.kind, std::move(*image), c.corruption.offset}};
}

// Container bytes have no parts that could be left out and a defect be kept.
std::optional<Case> smaller(const NeffCase&, Cursor&) { return std::nullopt; }

// Lists one after the other: halves are left out, then quarters, down to single elements. The
// position is that of the candidate last made.
std::optional<Case> smaller(const DtypeCase& c, Cursor& cursor) {
  const auto drop = [&](auto& list) {
    if (cursor.chunk == 0) {
      if (list.empty()) return false;
      cursor.chunk = (list.size() + 1) / 2;
      cursor.position = 0;
    } else if (!cursor.accepted) {
      cursor.position += cursor.chunk;
    }
    cursor.accepted = false;
    while (cursor.position >= list.size()) {
      if (cursor.chunk == 1 || list.empty()) return false;
      cursor.chunk = (cursor.chunk + 1) / 2;
      cursor.position = 0;
    }
    const auto from = list.begin() + static_cast<std::ptrdiff_t>(cursor.position);
    const auto rest = list.size() - cursor.position;
    list.erase(from, from + static_cast<std::ptrdiff_t>(std::min<std::size_t>(rest, cursor.chunk)));
    return true;
  };
  for (; cursor.pass < 4; ++cursor.pass, cursor.chunk = 0) {
    DtypeCase next = c;
    DtypeRequest& r = next.request;
    if (cursor.pass == 0 ? drop(r.match) : drop(cursor.pass == 1 ? r.to_sdma : cursor.pass == 2 ? r.cce_op : r.size))
      return next;
  }
  return std::nullopt;
}

}  // namespace

std::string expected_kind(const std::string& expected) {
  const auto is_word = [](char ch) { return ch == '_' || std::isalnum(static_cast<unsigned char>(ch)) != 0; };
  std::string kind;
  for (std::size_t i = 0; i < expected.size();) {
    const char ch = expected[i];
    if (ch == '"') {
      const auto end = expected.find('"', i + 1);
      kind += '"';
      i = end == std::string::npos ? expected.size() : end + 1;
    } else if (is_word(ch)) {
      // A word with digits or capitals is a value: 448, 0x1f, MR_PTR.
      std::size_t end = i;
      bool value = false;
      for (; end < expected.size() && is_word(expected[end]); ++end)
        value |= std::islower(static_cast<unsigned char>(expected[end])) == 0;
      kind += value ? "#" : expected.substr(i, end - i);
      i = end;
    } else {
      kind += ch;
      ++i;
    }
  }
  return kind;
}

Signature signature_of(const Property& property, const Verdict& verdict) {
  if (verdict.violations.empty()) return {std::string(property.name), {}, {}};
  const Violation& v = verdict.violations.front();
  return {std::string(property.name), v.requirement, expected_kind(v.expected)};
}

OracleView::Said OracleView::ask(const Case& c) {
  Said said;
  const auto input = [&](const auto& result) {
    said.input = reason_of(result);
    if (!result) said.place = result.error().place;
  };
  if (const auto* m = std::get_if<ModelCase>(&c)) {
    input(lower_model(m->model));
  } else if (const auto* n = std::get_if<NearMissCase>(&c)) {
    said.twin = reason_of(lower_model(n->miss.twin));
    input(lower_model(n->miss.broken));
  } else if (const auto* t = std::get_if<TextCase>(&c)) {
    said.twin = reason_of(lower_model(t->model));
    input(lower_members(members_of(*t), t->model.options));
  } else if (const auto* i = std::get_if<ImageCase>(&c)) {
    input(decode(i->image.view()));
  } else if (const auto* k = std::get_if<CorruptionCase>(&c)) {
    input(decode(k->corruption.image.view()));
  }
  return said;
}

OracleView::OracleView(const Case& original) : said_(ask(original)) {
  if (!said_.place) return;
  if (const auto* n = std::get_if<NearMissCase>(&original))
    place_is_oracles_ = agrees(n->miss.place, *said_.place);
  if (const auto* k = std::get_if<CorruptionCase>(&original))
    place_is_oracles_ = said_.place->offset == k->corruption.offset;
}

bool OracleView::same_sort(Case& candidate) const {
  const Said now = ask(candidate);
  if (now.twin != said_.twin || now.input != said_.input) return false;
  if (!place_is_oracles_ || !now.place) return true;
  if (auto* n = std::get_if<NearMissCase>(&candidate)) {
    // Only the parts that were expected before.
    Place& place = n->miss.place;
    if (!place.member.empty()) place.member = now.place->member;
    if (!place.pointer.empty()) place.pointer = now.place->pointer;
    if (place.offset) place.offset = now.place->offset;
  }
  if (auto* k = std::get_if<CorruptionCase>(&candidate))
    k->corruption.offset = now.place->offset.value_or(k->corruption.offset);
  return true;
}

std::optional<Case> next_smaller(const Case& c, Cursor& cursor) {
  return std::visit([&](const auto& v) { return smaller(v, cursor); }, c);
}

ReduceStats reduce_case(Case& c, const std::function<bool(const Case&)>& still, const ReduceLimits& limits) {
  ReduceStats stats;
  const OracleView oracle(c);
  Cursor cursor;
  while (stats.checks < limits.checks) {
    auto candidate = next_smaller(c, cursor);
    if (!candidate) return stats;
    ++stats.checks;
    if (!oracle.same_sort(*candidate) || !still(*candidate)) continue;
    c = std::move(*candidate);
    cursor.accept();
    ++stats.accepted;
  }
  stats.exhausted = true;
  return stats;
}

ReduceStats reduce_case(const Property& property, const Subject& subject, Case& c, const ReduceLimits& limits) {
  const Verdict first = property.judge(subject, c);
  if (!first.is_violated()) return {};
  const Signature signature = signature_of(property, first);
  return reduce_case(
      c,
      [&](const Case& candidate) {
        const Verdict v = property.judge(subject, candidate);
        return v.is_violated() && signature_of(property, v) == signature;
      },
      limits);
}

}  // namespace assay::harness
