// SPDX-License-Identifier: Apache-2.0
// Wrong in a value of a lowering, in which of two keys counts, or in a status.
#include <algorithm>
#include <set>
#include <utility>

#include "conformance/mutants/tables.h"
#include "harness/mutants/records.h"
#include "oracle/base/status.h"
#include "oracle/dtype/enums.h"
#include "oracle/tree/tree.h"

namespace assay::conformance {
namespace {

using harness::Edit;

// The last of duplicate keys, in documents that have some: nlohmann's own way.
bool last_of_duplicates(std::string& text) {
  std::vector<std::set<std::string>> objects;
  bool twice = false;
  const Json::parser_callback_t look = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) objects.emplace_back();
    if (event == Json::parse_event_t::object_end) objects.pop_back();
    if (event == Json::parse_event_t::key && !objects.back().insert(value.get<std::string>()).second) twice = true;
    return true;
  };
  const Json document = Json::parse(text, look, false);
  if (document.is_discarded() || !twice) return false;
  text = Json::parse(text, nullptr, false).dump(-1, ' ', false, Json::error_handler_t::replace);
  return true;
}

// One field, and only what is beyond it: a suite that tries some fields of a width would not see it.
bool semaphores_cut(std::string& text) {
  Json document = Json::parse(text, nullptr, false);
  const auto queues = document.is_object() ? document.find("dma_queue") : document.end();
  if (queues == document.end() || !queues->is_object()) return false;
  bool any = false;
  for (Json& q : *queues) {
    const auto semaphore = q.is_object() ? q.find("semaphore") : q.end();
    if (semaphore == q.end() || !semaphore->is_number_unsigned()) continue;
    const auto wide = semaphore->get<std::uint64_t>();
    const auto cut = static_cast<std::uint32_t>(wide);
    if (wide != cut) *semaphore = cut, any = true;
  }
  if (any) text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  return any;
}

// pkg_version is looked at before anything else.
void version_first(const harness::LowerNeffRequest& q, std::optional<std::uint32_t>& code) {
  if (q.neff.size() < 1024) return;
  const auto version = load<std::uint64_t>(q.neff.data());
  if (version != 1 && version != 2) code = static_cast<std::uint32_t>(NrtStatus::unsupported_neff_version);
}

void last_graph_lost(harness::LowerNeffAnswer& answer) {
  if (answer.images.size() > 1) answer.images.pop_back();
}
void inputs_backwards(GraphIo& io) { std::reverse(io.inputs.begin(), io.inputs.end()); }

bool flags_always_6(Tree& t, const harness::wrong::Source&) {
  bool any = false;
  auto& set = t.root().ucode_lib_set;
  for (std::uint64_t i = 0; i < set.num_libs; ++i) any |= std::exchange(set.libs[i].flags, 6U) != 6;
  return any;
}
bool participants_from_1(Tree& t, const harness::wrong::Source&) {
  bool any = false;
  const kbin_replica_group_set_t& set = t.root().replica_groups;
  for (std::uint64_t g = 0; g < set.num_groups; ++g)
    for (std::uint64_t s = 0; s < set.groups[g].num_subgroups; ++s) {
      const kbin_replica_subgroup_t& sub = set.groups[g].subgroups[s];
      for (std::uint64_t p = 0; p < sub.num_participants; ++p, any = true) ++sub.participants[p];
    }
  return any;
}
bool empty_carveouts_are_null(Tree& t, const harness::wrong::Source&) {
  if (t.root().sb_carveouts == nullptr || t.root().sb_carveouts->count != 0) return false;
  t.root().sb_carveouts = nullptr;
  return true;
}
bool emax_swapped(harness::wrong::Records& r) {
  kbin_t* root = r.root();
  if (root == nullptr || root->fp8_conv_cfg.emax_fp8_e4m3 == root->fp8_conv_cfg.emax_fp8_e5m2) return false;
  std::swap(root->fp8_conv_cfg.emax_fp8_e4m3, root->fp8_conv_cfg.emax_fp8_e5m2);
  return true;
}
bool no_act_semaphore(harness::wrong::Records& r) {
  kbin_t* root = r.root();
  return root != nullptr && std::exchange(root->act_function_sets.act_tbl_semaphore, 0U) != 0;
}
bool names_of_254_bytes(Tree& t, const harness::wrong::Source&) {
  bool any = false;
  auto& set = t.root().act_function_sets;
  for (std::uint64_t i = 0; i < set.num_function_sets; ++i) any |= std::exchange(set.sets[i].name[254], '\0') != '\0';
  return any;
}

const SuiteMutant kMutants[] = {
    {"CON-007-version-first", "CON-007", "looks at pkg_version first", Wrong(CodeEdit(&version_first))},
    {"CON-021-one-less", "CON-021", "loses the last of several graphs", Wrong(FilesEdit(&last_graph_lost))},
    {"IO-002-backwards", "IO-002", "has the inputs in reverse", Edit(harness::IoEdit(&inputs_backwards))},
    {"JSN-006-semaphore-cut", "JSN-006", "cuts a queue's semaphore to 32 bits", Wrong(TextEdit(&semaphores_cut))},
    {"JSN-007-last", "JSN-007", "takes the last of duplicate keys", Wrong(TextEdit(&last_of_duplicates))},
    {"CCM-001-from-1", "CCM-001", "counts participants from 1", Edit(harness::TreeEdit(&participants_from_1))},
    {"UCL-006-always-6", "UCL-006", "flags are 6 whatever the opcode", Edit(harness::TreeEdit(&flags_always_6))},
    {"SBC-003-empty-is-null", "SBC-003", "no carveouts are a NULL", Edit(harness::TreeEdit(&empty_carveouts_are_null))},
    {"FP8-001-swapped", "FP8-001", "has emax_fp8_e4m3 and emax_fp8_e5m2 the other way round",
     Edit(harness::FieldEdit(&emax_swapped))},
    {"ACT-001-dropped", "ACT-001", "act_semaphore is dropped", Edit(harness::FieldEdit(&no_act_semaphore))},
    {"ACT-008-cut-at-254", "ACT-008", "a long set name is cut to 254 bytes",
     Edit(harness::TreeEdit(&names_of_254_bytes))},
};

}  // namespace

std::span<const SuiteMutant> value_rows() { return kMutants; }

}  // namespace assay::conformance
