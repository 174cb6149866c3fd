// SPDX-License-Identifier: Apache-2.0
#include "conformance/suite/leanings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "oracle/dtype/dtype.h"
#include "oracle/image/image.h"
#include "oracle/manifest/definition/definition.h"

namespace assay::conformance {
namespace {

using harness::Json;
using harness::LowerRequest;

const Json* find(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}
std::string text_at(const Json& object, const char* key) {
  const Json* v = find(object, key);
  return v != nullptr && v->is_string() ? v->get<std::string>() : std::string();
}
bool is_true(const Json& object, const char* key) {
  const Json* v = find(object, key);
  return v != nullptr && v->is_boolean() && v->get<bool>();
}

class Reader {
 public:
  Reader(const LowerRequest& request, const Tree& tree)
      : request_(request), tree_(tree), documents_(harness::from_members(*request.members, {})) {}

  std::vector<Leaning> run() {
    const Json* def = document(request_.definition);
    if (def == nullptr) return {{"", "JSN-007"}};  // no plain document: nothing can be said of it
    sections(*def);
    variables(*def);
    queues(*def);
    blocks(*def);
    for (const char* engine : harness::kEngineKeys) {
      const Json* name = find(*def, engine);
      if (name == nullptr || !name->is_string()) continue;
      const Json* m = document(std::string(directory_of(request_.definition)) + name->get<std::string>());
      if (m == nullptr) return {{"", "JSN-007"}};
      engine_member(engine, *m);
      blocks(*m);
    }
    descriptors();
    std::sort(out_.begin(), out_.end(), [](const Leaning& a, const Leaning& b) {
      return std::tie(a.path, a.requirement) < std::tie(b.path, b.requirement);
    });
    out_.erase(std::unique(out_.begin(), out_.end()), out_.end());
    return std::move(out_);
  }

 private:
  // A member as a document, whether or not a manifest names it; nullptr where it is none.
  const Json* document(const std::string& path) {
    const auto it = documents_.members.find(path);
    if (it == documents_.members.end()) return nullptr;
    if (!it->second.is_json())
      if (auto doc = harness::document_in(path, it->second.bytes)) it->second = {std::move(*doc), {}};
    return it->second.is_json() ? &it->second.doc : nullptr;
  }

  void add(std::string path, const char* row) { out_.push_back({std::move(path), row}); }
  bool above_sunda() const { return request_.target > static_cast<std::uint32_t>(code(ArchType::SUNDA)); }

  void sections(const Json& def) {
    if (find(def, "src_target_pairs") != nullptr) add("src_target_pairs*", "CCM-003");
    if (find(def, "cc_streams") != nullptr || find(def, "num_streams") != nullptr)
      add("cc_streams.num_streams", "CCM-005");
    if (find(def, "cc_streams") != nullptr && find(def, "num_streams") != nullptr) add("", "JSN-013");
    if (find(def, "ext_isa_ucode_lib_def") != nullptr) add("", "UCL-010");
    if (request_.target == static_cast<std::uint32_t>(code(ArchType::MARIANA))) add("ucode_lib_set*", "UCL-009");
    const Json* fp8 = find(def, "fp8_conversion_config");
    if (fp8 == nullptr) return;
    for (const Fp8Field& f : fp8_fields(request_.fp8))
      if (find(*fp8, f.key) == nullptr && !f.overridden) add(std::string(f.path), "FP8-003");
  }

  void variables(const Json& def) {
    const Json* var = find(def, "var");
    auto* set = tree_.root().mem_ref_set;
    if (var == nullptr || set == nullptr) return;
    for (std::uint32_t i = 0; i < set->nmem; ++i) {
      const kbin_mem_ref& m = mem_of(set)[i];
      const Json* v = m.name != nullptr ? find(*var, m.name) : nullptr;
      if (v == nullptr) continue;
      variable(*v, fmt::format("mem_ref_set.mem[{}].", i));
    }
  }

  void variable(const Json& v, const std::string& at) {
    const std::string type = text_at(v, "type");
    const bool debug = type == "file" || type == "tmp-buf" || type == "virtual";
    const bool aligned = debug || type == "input" || type == "output";
    if (find(v, "prefix") != nullptr || find(v, "pipe") != nullptr) add(debug ? at + "dtensor_md*" : "", "VAR-029");
    if (const Json* a = find(v, "alignment"); a != nullptr) {
      if (!aligned || *a == 0) add("", "VAR-013");
      if (type == "virtual") add(at + "alignment", "VAR-014");
    }
    if (type == "pointer" || type == "list" || type == "dge-table" || type == "remote")
      if (find(v, "dtype") != nullptr || find(v, "shape") != nullptr) add("", "VAR-018");
    if (type == "pointer") {
      add(at + "size", "VAR-010");
      add(at + "u.ptr.io_ref", "VAR-011");
    }
    if (type == "remote") add("", "VAR-033");
    if (type == "virtual") {
      const std::string buf = text_at(v, "backing_buf");
      add(at + "u.virtual.backing_buf", buf.empty() || buf == "local" ? "VAR-026" : "VAR-025");
      add("mem_ref_set.local_scratchpad_size", "VAR-027");
      add("mem_ref_set.shared_scratchpad_size", "VAR-027");
    }
  }

  void queues(const Json& def) {
    const Json* queues = find(def, "dma_queue");
    if (queues == nullptr || !queues->is_object()) return;
    std::uint64_t at = 0, wide = 0;
    for (const auto& [name, q] : queues->items()) {  // in byte order, as dma[] is
      const std::string path = fmt::format("dma[{}].", at++), type = text_at(q, "type");
      queue_of_[name] = at - 1;
      if (const Json* list = find(q, "queue_instances"); list != nullptr && !list->empty()) listing_.insert(name);
      if (const Json* n = find(q, "num_queues"); n != nullptr && *n == 0) add("", "DMQ-011");
      if (find(q, "semaphore") != nullptr && find(q, "semaphore_set") != nullptr) add("", "DMQ-016");
      const bool dynamic = type == "dynamic";
      if (dynamic || find(q, "dge") != nullptr || find(q, "pinned") != nullptr) add(path + "flags", "DMQ-019");
      if (find(q, "indirect_memcpy") != nullptr && type != "data") add("", "DMQ-019");
      if (find(q, "dynamic_dma") != nullptr && !dynamic) add("", "DMQ-019");
      if (dynamic || is_true(q, "dge")) ++wide;
      if (type == "embedding_update") add(path + "pseudo_serialization*", "DMQ-014");
      if (const kbin_dma_t* d = at - 1 < KBIN_MAX_DMA ? tree_.root().dma[at - 1] : nullptr;
          d != nullptr && d->ring_instance_count == 0)
        add(path + "ring_instance*", "DMQ-022");
    }
    if (wide > max_hw_dge_count(request_.target)) add("", "DMQ-018");
  }

  void blocks(const Json& from) {
    const Json* dma = find(from, "dma");
    if (dma == nullptr || !dma->is_array()) return;
    for (const Json& b : *dma) {
      blocks_.push_back(&b);
      const std::string queue = text_at(b, "queue"), instance = text_at(b, "instance_name");
      if (!queue.empty() && !instance.empty()) add("", "DMB-005");
      if (instance.empty() && listing_.count(queue) != 0) add("", "DMB-006");
      if (instance.empty() && queue_of_.count(queue) != 0)
        add(fmt::format("dma[{}].ring_instances[*].name", queue_of_[queue]), "DMB-006");
      if (const Json* f = find(b, "function_start"); f != nullptr) {
        const std::string name = text_at(b, "function_start");
        if (name.empty() || name.size() > 256) add("", "DMB-011");
      }
    }
  }

  // Where each block's descriptors went, as the oracle reads the same documents.
  void descriptors() {
    Options options;
    options.allow_legacy = request_.allow_legacy;
    const auto resources = read_definition(*request_.members, request_.definition,
                                           static_cast<ArchType>(request_.target), options);
    if (!resources || resources->blocks.size() != blocks_.size()) return add("", "DMB-006");
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> filled;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const Block& block = resources->blocks[i];
      const Json* list = find(*blocks_[i], "desc");
      std::uint64_t& next = filled[{block.queue, block.instance}];
      for (std::size_t d = 0; list != nullptr && d < list->size(); ++d, ++next) {
        const kbin_dma_desc_t& desc = desc_of(instances_of(tree_.root().dma[block.queue])[block.instance])[next];
        descriptor(*blocks_[i], (*list)[d], desc,
                   fmt::format("dma[{}].ring_instances[{}].desc[{}].", block.queue, block.instance, next));
      }
    }
  }

  void descriptor(const Json& block, const Json& j, const kbin_dma_desc_t& d, const std::string& at) {
    const std::string op = text_at(j, "op");
    const bool transpose = op == "transpose", compute = !transpose && !op.empty() && op != "copy" && op != "cast";
    if (op == "cast") add("", "DMB-016");
    if (d.function_name != nullptr && text_at(block, "function_start").empty()) {
      add(at + "function_name", "DMB-011");
      if (above_sunda()) add(at + "reset_engine_round_robin", "DMB-013");
    }
    if (is_true(block, "section_start_desc") && above_sunda()) add(at + "reset_engine_round_robin", "DMB-014");
    side(j, "to", at + "u.to.");
    if (find(j, "size") != nullptr && has_arrays(j, "to")) add("", "JSN-013");
    if (compute) {
      for (const char* key : {"from", "from_off", "from_sizes", "from_steps", "from_dtype"})
        if (find(j, key) != nullptr) add("", "DMB-027");
      const Json* list = find(j, "from_arr");
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        side((*list)[i], "from", fmt::format("{}u.from[{}].", at, i));
        if (op != "fma" && (find((*list)[i], "scale") != nullptr || find((*list)[i], "scale_dtype") != nullptr))
          add("", "JSN-013");
      }
      if (op != "fma" && list != nullptr && list->size() > 16) add("", "DMB-029");
    } else {
      side(j, "from", at + "u.from[0].");
      if (find(j, "from_arr") != nullptr) add("", "DMB-027");
      add(at + "u.to.dtype", "DMB-031");
      add(at + "u.from[0].dtype", "DMB-031");
    }
    if (find(j, "scale") != nullptr || find(j, "scale_dtype") != nullptr) add("", op == "fma" ? "DMB-033" : "JSN-013");
    const bool min_max = op == "min" || op == "max";
    if (find(j, "constant_dtype") != nullptr) min_max ? add(at + "u.info.u.min_max*", "DMB-035") : add("", "JSN-013");
    if (find(j, "constant") != nullptr && !min_max) add("", "JSN-013");
    if (transpose) add(at + "u.info.*", "DMB-040");
    for (const char* key : {"transpose_op", "transpose_element_size", "transpose_shape"})
      if (find(j, key) != nullptr && !transpose) add("", "DMB-040");
  }

  static bool has_arrays(const Json& j, const std::string& prefix) {
    return find(j, (prefix + "_sizes").c_str()) != nullptr && find(j, (prefix + "_steps").c_str()) != nullptr;
  }
  void side(const Json& j, const std::string& prefix, const std::string& at) {
    if (find(j, (prefix + "_off").c_str()) == nullptr) add(at + "off", "DMB-021");
    if (!has_arrays(j, prefix))
      add("", "DMB-025");
    else if (find(j, (prefix + "_sizes").c_str())->size() > 4)
      add("", "DMB-024");
  }

  void engine_member(const std::string& engine, const Json& m) {
    for (const char* key : {"act_semaphore", "activation_function_sets", "act_info"})
      if (find(m, key) != nullptr && engine != "act") add("", "ACT-009");
    if (const Json* sets = find(m, "activation_function_sets"); engine == "act" && sets != nullptr && !sets->empty()) {
      add("act_function_sets.sets[*].profile_data*", "ACT-006");
      std::set<Json> names(sets->begin(), sets->end());
      if (names.size() != sets->size()) add("", "ACT-007");
      // Entries of act_info that no set names: whether they are looked at is JSN-013's.
      const Json* info = document(std::string(directory_of(request_.definition)) + text_at(m, "act_info"));
      const Json* entries = info != nullptr ? find(*info, "act_func_sets") : nullptr;
      std::set<Json> seen;
      for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i) {
        const Json* name = find((*entries)[i], "name");
        if (name == nullptr || names.count(*name) == 0) unnamed((*entries)[i]);
        if (name != nullptr && !seen.insert(*name).second) add("", "ACT-007");
      }
    }
    const Json* dve = find(m, "dve_tables");
    if (dve == nullptr) return;
    if (engine != "dve") add("", "ACT-009");
    if (!dve->is_array()) add("", "DVE-005");
    const Json& tables = dve->is_array() && dve->size() == 1 ? dve->front() : *dve;
    if (find(tables, "control_table") == nullptr) return;
    find(tables, "control_fast_table") != nullptr ? add("", "DVE-003")
                                                  : add("dve_config.control_fast_table*", "DVE-003");
  }

  void unnamed(const Json& entry) {
    for (const char* key : {"name", "bkt_bin", "ctrl_bin", "profile_json"})
      if (text_at(entry, key).empty()) return add("", "JSN-013");
  }

  const LowerRequest& request_;
  const Tree& tree_;
  harness::Model documents_;
  std::vector<const Json*> blocks_;  // in DMB-001's order
  std::map<std::string, std::uint64_t> queue_of_;
  std::set<std::string> listing_;  // queues that list instances
  std::vector<Leaning> out_;
};

}  // namespace

std::array<Fp8Field, 6> fp8_fields(const Fp8Overrides& o) {
  return {{{"fp8_range_extension", "fp8_conv_cfg.fp8_range_extension", o.fp8_range_extension.has_value()},
           {"emax_fp8_e4m3", "fp8_conv_cfg.emax_fp8_e4m3", o.emax_fp8_e4m3.has_value()},
           {"emax_fp8_e5m2", "fp8_conv_cfg.emax_fp8_e5m2", o.emax_fp8_e5m2.has_value()},
           {"ocp_sat", "fp8_conv_cfg.ocp_sat", o.ocp_sat.has_value()},
           {"fp8_sis", "fp8_conv_cfg.sis", o.fp8_sis.has_value()},
           {"fp8_sns", "fp8_conv_cfg.sns", o.fp8_sns.has_value()}}};
}

std::vector<Leaning> leanings_of(const LowerRequest& request, ByteView image) {
  const auto view = decode(image);
  if (!view) return {{"", "IMG-025"}};
  const auto tree = to_tree(*view);
  if (!tree) return {{"", "IMG-025"}};
  return Reader(request, *tree).run();
}

}  // namespace assay::conformance
