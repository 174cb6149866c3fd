// SPDX-License-Identifier: Apache-2.0
// Alternatives to single values. Each is simpler in one order - of numbers 0, 1, 2 ..., -1, -2 ...,
// then those with a fraction; of texts by length; of names by rank - so that there is an end to them.
#include <algorithm>
#include <cmath>
#include <map>

#include "harness/reduce/passes.h"

namespace assay::harness::reduce {
namespace {

using Kind = ModelEdit::Kind;

std::optional<ModelEdit> replace(const Model& model, const Site& site, Json value) {
  ModelEdit e;
  e.kind = Kind::replace_value;
  e.member = *site.member;
  e.pointer = site.pointer(model);
  e.value = std::move(value);
  return e;
}

// ---- smaller sizes ----

// The k-th of: 0, 1, then `n` less ever smaller powers of two, which end at the least value that
// will do. Nothing where it would not be smaller, or was among the first.
std::optional<std::uint64_t> less(std::uint64_t n, std::uint64_t k) {
  if (k < 2) return k < n ? std::optional(k) : std::nullopt;
  if (k > 65) return std::nullopt;
  const std::uint64_t step = std::uint64_t{1} << (65 - k);
  if (n < step || n - step < 2) return std::nullopt;
  return n - step;
}

// ---- scalars ----

std::optional<Json> simpler_number(const Json& value, std::uint64_t k) {
  if (const auto n = number_of(&value)) {
    const auto smaller = less(*n, k);
    return smaller ? std::optional<Json>(*smaller) : std::nullopt;
  }
  if (k < 2) return Json(k);
  if (const auto* i = value.get_ptr<const Json::number_integer_t*>()) {
    const auto smaller = k == 2 ? 1 : less(~static_cast<std::uint64_t>(*i) + 1, k - 1);
    if (!smaller || (k == 2 && *i == -1)) return std::nullopt;
    return Json(-static_cast<std::int64_t>(*smaller));
  }
  const double d = value.get<double>();
  constexpr double kExact = 9007199254740992.0;
  if (k == 2 && std::fabs(d) >= 2 && std::fabs(d) < kExact) return Json(static_cast<std::int64_t>(d));
  if (k == 3 && d != 0.5) return Json(0.5);
  return std::nullopt;
}

// The first `n` bytes, or fewer where that would cut a character.
std::string cut(const std::string& text, std::size_t n) {
  while (n > 0 && n < text.size() && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) --n;
  return text.substr(0, n);
}

std::optional<Json> simpler_text(const std::string* key, const std::string& text, std::uint64_t k) {
  static constexpr std::string_view kOwner = "pe";
  if (k == 67) {  // any engine will mostly do; but never a longer text, nor one later in byte order
    const bool simpler = text.size() > kOwner.size() || (text.size() == kOwner.size() && text > kOwner);
    return key != nullptr && *key == "owner" && simpler ? std::optional<Json>(kOwner) : std::nullopt;
  }
  if (k == 66) {
    std::string plain(text.size(), 'a');
    return plain == text ? std::nullopt : std::optional<Json>(std::move(plain));
  }
  const auto n = less(text.size(), k);
  if (!n) return std::nullopt;
  std::string shorter = cut(text, *n);
  if (shorter.empty() && *n != 0) return std::nullopt;
  return Json(std::move(shorter));
}

// ---- names ----

// Where a string names something: what else it could name, the first of its kind first.
using NameSites = std::map<const Json*, std::vector<std::string>>;

void add_variable_names(const Model& model, const Definition& d, NameSites& out) {
  std::vector<std::string> names;
  for (const Variable& v : variables_of(*document(model, d.path))) names.push_back(v.name);
  const std::set<std::string> known(names.begin(), names.end());
  names.resize(std::min<std::size_t>(names.size(), 2));
  for (const std::string& path : d.documents)
    if (const Json* blocks = array_at(document(model, path), "dma"))
      for (const Json& block : *blocks)
        if (const Json* descriptors = array_at(&block, "desc"))
          for (const Json& descriptor : *descriptors)
            for (const Json* name : variable_names_in(descriptor))
              if (known.count(*name->get_ptr<const std::string*>()) != 0) out.emplace(name, names);
}

void add_queue_names(const Model& model, const Definition& d, NameSites& out) {
  const auto queues = queues_of(*document(model, d.path)), instances = instances_of(model, d);
  const auto add = [&](const Json* name, const std::vector<std::string>& of, bool other) {
    const std::string* text = name == nullptr ? nullptr : name->get_ptr<const std::string*>();
    if (text == nullptr || std::find(of.begin(), of.end(), *text) == of.end()) return;
    out.emplace(name, other ? std::vector<std::string>{of[0]} : std::vector<std::string>{});
  };
  if (const Json* all = at(document(model, d.path), "dma_queue"); all != nullptr && all->is_object())
    for (const Json& queue : *all)
      if (const Json* list = array_at(&queue, "queue_instances"))
        for (const Json& name : *list) add(&name, instances, false);
  for (const std::string& path : d.documents)
    if (const Json* blocks = array_at(document(model, path), "dma"))
      for (const Json& block : *blocks) {
        add(at(&block, "queue"), queues, true);
        add(at(&block, "instance_name"), instances, true);
      }
}

bool is_npy(std::string_view path) { return path.size() >= 4 && path.substr(path.size() - 4) == ".npy"; }

NameSites names_of(const Model& model) {
  NameSites out;
  for (const Definition& d : definitions_of(model)) {
    add_variable_names(model, d, out);
    add_queue_names(model, d, out);
    for (const Json* name : set_names_in(model, d)) out.emplace(name, std::vector<std::string>());
  }
  const auto references = references_of(model);
  const auto kind = [](const Reference& r) { return r.directory + (is_npy(r.path) ? '1' : '0'); };
  const auto is_blob = [](const Reference& r) {
    return r.use == Reference::Use::blob || r.use == Reference::Use::payload;
  };
  std::map<std::string, std::string> first;
  for (const Reference& r : references)
    if (is_blob(r)) {
      std::string& path = first[kind(r)];
      if (path.empty() || r.path < path) path = r.path;
    }
  for (const Reference& r : references) {
    std::vector<std::string> others;
    if (is_blob(r)) others.push_back(first[kind(r)].substr(r.directory.size()));
    out.emplace(find(*document(model, r.member), r.pointer), std::move(others));
  }
  return out;
}

// ---- walking ----

std::vector<Site> sites_where(const Model& model, const NameSites& names, bool named) {
  std::vector<Site> out;
  for (const auto& [path, member] : model.members) {
    if (!member.is_json()) continue;
    const auto nodes = nodes_of(member.doc);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto name = names.find(nodes[i].value);
      if (!nodes[i].value->is_primitive() || (name != names.end()) != named) continue;
      out.push_back({&path, nodes[i].value, nodes[i].key, i});
      if (named) out.back().others = name->second;
    }
  }
  return out;
}

// Ids are renumbered, not changed; those that fit no numbering are numbers like others.
bool is_id(const Model& model, const Site& site) {
  if (site.key == nullptr || *site.key != "var_id") return false;
  const Json* var = at(document(model, *site.member), "var");
  const auto id = number_of(site.value);
  return var != nullptr && id && *id < var->size();
}

}  // namespace

std::string Site::pointer(const Model& model) const {
  return value == nullptr ? std::string() : pointer_of(nodes_of(*document(model, *member)), node);
}

std::vector<Site> scalars(const Model& model) { return sites_where(model, names_of(model), false); }
std::vector<Site> name_sites(const Model& model) { return sites_where(model, names_of(model), true); }

std::vector<Site> raw_members(const Model& model) {
  std::vector<Site> out;
  for (const auto& [path, member] : model.members)
    if (!member.is_json()) out.push_back({&path, nullptr, nullptr, 0});
  return out;
}

std::optional<ModelEdit> simpler_scalar(const Model& model, const Site& site, std::uint64_t k) {
  std::optional<Json> simpler;
  if (site.value->is_boolean()) {
    if (k == 0 && *site.value == true) simpler = Json(false);
  } else if (site.value->is_number()) {
    if (!is_id(model, site)) simpler = simpler_number(*site.value, k);
  } else if (const auto* text = site.value->get_ptr<const std::string*>()) {
    simpler = simpler_text(site.key, *text, k);
  }
  return simpler ? replace(model, site, std::move(*simpler)) : std::nullopt;
}

std::optional<ModelEdit> other_name(const Model& model, const Site& site, std::uint64_t k) {
  if (k >= site.others.size()) return std::nullopt;
  for (std::uint64_t i = 0; i <= k; ++i)  // not of a lower rank already
    if (*site.value == site.others[i]) return std::nullopt;
  return replace(model, site, site.others[k]);
}

std::optional<ModelEdit> shorter_bytes(const Model& model, const Site& site, std::uint64_t k) {
  constexpr std::uint64_t kSlot = 64, kSlots = 3, kBytes = 35, kHeader = 41, kZeros = 42;
  constexpr std::size_t kNpyPrefix = 10, kNpyLength = 8;
  const std::string& bytes = model.members.at(*site.member).bytes;
  const auto payload = payload_of(*site.member, as_bytes(bytes));
  const std::uint64_t n = payload ? payload->size() : bytes.size(), header = bytes.size() - n;
  ModelEdit e;
  e.kind = Kind::shorten_bytes;
  e.member = *site.member;
  std::uint64_t keep = n;
  if (k < 2) {
    keep = k;
  } else if (k < kSlots) {
    keep = kSlot;
  } else if (k < kBytes) {
    const std::uint64_t step = kSlot << (kBytes - 1 - k);
    if (n > step + kSlot) keep = n - step;
  } else if (k < kHeader) {
    const std::uint64_t step = std::uint64_t{1} << (kHeader - 1 - k);
    if (n > step + 1) keep = n - step;
  } else {
    std::string plain = bytes;
    if (k == kHeader && header > kNpyPrefix) {
      plain.erase(kNpyPrefix, header - kNpyPrefix);
      plain[kNpyLength] = plain[kNpyLength + 1] = '\0';
    } else if (k == kZeros) {
      plain.replace(header, n, n, '\0');
    }
    if (plain == bytes) return std::nullopt;
    e.kind = Kind::replace_value;
    e.value = std::move(plain);
    return e;
  }
  if (keep >= n) return std::nullopt;
  e.count = header + keep;
  return e;
}

}  // namespace assay::harness::reduce
