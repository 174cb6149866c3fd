// SPDX-License-Identifier: Apache-2.0
#include "harness/cases/case_json.h"

namespace assay::harness::case_json {
namespace {

struct Bound {
  const char* key;
  std::uint64_t Limits::*limit;
};
struct Arch {
  ArchType arch;
  std::string_view name;
};
constexpr Arch kArchs[] = {
    {ArchType::SUNDA, "sunda"}, {ArchType::CAYMAN, "cayman"}, {ArchType::MARIANA, "mariana"}};

// By name, or by number as older cases have it.
Stored<std::optional<ArchType>> arch_of(const Json& options, const char* key) {
  const auto it = options.find("arch");
  if (it == options.end() || it->is_null()) return std::nullopt;
  for (const Arch& a : kArchs)
    if ((it->is_string() && it->get_ref<const std::string&>() == a.name) ||
        (it->is_number_integer() && *it == code(a.arch)))
      return a.arch;
  return tl::unexpected<std::string>(fmt::format("case.json: {}: there is no architecture {}", key, print_line(*it)));
}

constexpr Bound kBounds[] = {{"max_expanded_bytes", &Limits::expanded_bytes},
                             {"max_members", &Limits::members},
                             {"max_image_bytes", &Limits::image_bytes}};

}  // namespace

std::string_view arch_name(ArchType arch) {
  for (const Arch& a : kArchs)
    if (a.arch == arch) return a.name;
  return {};
}

const ReasonRow* reason_named(std::string_view id) {
  for (const ReasonRow& row : kReasons)
    if (row.id == id) return &row;
  return nullptr;
}

Json options_json(const Options& o) {
  Json fp8 = Json::object();
  each_fp8(o.fp8, [&](const char* key, const auto& v) {
    if (v) fp8[key] = *v;
  });
  Json j = {{"arch", o.arch ? Json(arch_name(*o.arch)) : Json()},
            {"allow_legacy", o.allow_legacy},
            {"verify_digest", o.verify_digest},
            {"fp8", std::move(fp8)}};
  if (o.assume_no_signals) j["assume_no_signals"] = true;
  for (const Bound& b : kBounds)
    if (o.limits.*b.limit != Limits{}.*b.limit) j[b.key] = o.limits.*b.limit;
  return j;
}

// A key that is there has its type and range: a case judged under other options than it says would
// be another case.
Stored<Options> options_of(const Json& head, const char* key) {
  Options o;
  const auto it = head.find(key);
  if (it == head.end()) return o;
  std::string wrong;
  const auto take = [&](const Json& from, const char* name, auto& to) {
    using T = std::decay_t<decltype(to)>;
    if (!from.contains(name)) return;
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::uint64_t>) {
      if (const auto v = value_at<T>(from, name)) to = *v;
      else wrong = name;
    } else {
      to = value_at<typename T::value_type>(from, name);
      if (!to) wrong = name;
    }
  };
  if (it->is_object()) {
    const auto arch = arch_of(*it, key);
    if (!arch) return tl::unexpected<std::string>(arch.error());
    o.arch = *arch;
    take(*it, "allow_legacy", o.allow_legacy);
    take(*it, "verify_digest", o.verify_digest);
    take(*it, "assume_no_signals", o.assume_no_signals);
    for (const Bound& b : kBounds) take(*it, b.key, o.limits.*b.limit);
    const auto fp8 = it->find("fp8");
    if (fp8 != it->end() && fp8->is_object()) each_fp8(o.fp8, [&](const char* name, auto& v) { take(*fp8, name, v); });
    else if (fp8 != it->end()) wrong = "fp8";
  } else {
    wrong = key;
  }
  if (wrong.empty()) return o;
  return tl::unexpected<std::string>(fmt::format("case.json: {}: {} has the wrong type or is out of range", key, wrong));
}

Json place_json(const Place& p) {
  Json j = Json::object();
  if (!p.member.empty()) j["member"] = p.member;
  if (!p.pointer.empty()) j["pointer"] = p.pointer;
  if (p.offset) j["offset"] = *p.offset;
  if (!p.field.empty()) j["field"] = p.field;
  return j;
}

Place place_of(const Json& head) {
  const auto it = head.find("place");
  if (it == head.end() || !it->is_object()) return {};
  return {value_at<std::string>(*it, "member").value_or(""), value_at<std::string>(*it, "pointer").value_or(""),
          value_at<std::uint64_t>(*it, "offset"), value_at<std::string>(*it, "field").value_or("")};
}

void put_reason(Json& head, Reason reason) {
  head["reason"] = row_of(reason).id;
  head["requirement"] = row_of(reason).requirement;
}

std::optional<Reason> reason_of(const Json& head) {
  const auto id = value_at<std::string>(head, "reason");
  const ReasonRow* const row = id ? reason_named(*id) : nullptr;
  return row == nullptr ? std::nullopt : std::optional(row->reason);
}

}  // namespace assay::harness::case_json
