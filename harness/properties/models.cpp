// SPDX-License-Identifier: Apache-2.0
// What a lowered image must hold, read off the model's own documents and not from the oracle's way
// to it: names, counts, blobs, strings, shapes, allocations.
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "harness/compare/compare.h"
#include "harness/properties/ask.h"
#include "harness/properties/checks.h"
#include "oracle/dtype/dtype.h"
#include "oracle/records/kbin.h"

namespace assay::harness::checks {
namespace {

// Engine names in byte order, and the types they are of.
constexpr std::pair<std::string_view, EngineType> kEngines[] = {
    {"act", EngineType::ACT}, {"dve", EngineType::DVE}, {"pe", EngineType::PE},
    {"pool", EngineType::POOL}, {"sp", EngineType::SP}};

const ModelCase& of(const Case& c) { return std::get<ModelCase>(c); }

const Json* key(const Json* j, const std::string& name) {
  if (j == nullptr || !j->is_object()) return nullptr;
  const auto it = j->find(name);
  return it == j->end() ? nullptr : &*it;
}
const Json* document(const Model& m, const std::string& path) {
  const auto it = m.members.find(path);
  return it == m.members.end() || !it->second.is_json() ? nullptr : &it->second.doc;
}

// A record of the image as its C struct; the view is walkable and the record whole.
template <class T>
T at(const View& view, std::uint64_t offset) {
  return load<T>(view.bytes().data() + offset);
}
std::string text_at(const View& view, const DirEntry* e) {
  return e == nullptr ? std::string() : std::string(as_text(view.bytes().subspan(e->offset, e->size - 1)));
}
std::string name_of(const char (&name)[256]) { return std::string(name, ::strnlen(name, sizeof name)); }

void add(std::vector<Violation>& out, std::string_view row, std::string place, std::string expected, std::string actual) {
  out.push_back({std::string(row), std::move(place), std::move(expected), std::move(actual), {}});
}

const DirEntry* engine_at(const View& view, std::size_t i) {
  return view.follow(image::kRoot + offsetof(kbin_t, engine) + 8 * i);
}
const DirEntry* variables_of(const View& view) { return view.follow(image::kRoot + offsetof(kbin_t, mem_ref_set)); }

// The code that an engine of the definition names: absent keys make an empty one.
ByteView code_of(const Model& m, const Members& members, const std::string& definition, std::string_view engine) {
  const std::string directory(directory_of(definition));
  const Json* name = key(document(m, definition), std::string(engine));
  const Json* instr = name != nullptr && name->is_string() ? key(document(m, directory + name->get<std::string>()), "instr") : nullptr;
  const Buffer* blob = instr != nullptr && instr->is_string() ? members.find(directory + instr->get<std::string>()) : nullptr;
  return blob == nullptr ? ByteView{} : blob->view();
}

struct VariableAt {
  kbin_mem_ref record;
  std::string name;
};
std::vector<VariableAt> variables_in(const View& view) {
  std::vector<VariableAt> out;
  const DirEntry* set = variables_of(view);
  const auto nmem = at<kbin_mem_ref_set_t>(view, set->offset).nmem;
  for (std::uint32_t i = 0; i < nmem; ++i) {
    const std::uint64_t offset = set->offset + sizeof(kbin_mem_ref_set_t) + i * sizeof(kbin_mem_ref);
    out.push_back({at<kbin_mem_ref>(view, offset), text_at(view, view.follow(offset + offsetof(kbin_mem_ref, name)))});
  }
  return out;
}

}  // namespace

Verdict lowering_agrees(const Subject& s, const Case& c) {
  const auto asked = ask_about(of(c).model);
  if (!asked->manifest()) {
    const Refusal& refusal = asked->manifest().error();
    return Verdict::violated({std::string(refusal.row().requirement), refusal.place.text(), "a valid model", refusal.text(), {}});
  }
  std::vector<Violation> found;
  for (std::size_t i = 0; i < asked->graphs(); ++i) {
    const LowerRequest request = asked->request(i);
    const Reply<Buffer>& expected = asked->answer(reference(), i);
    if (!expected.ok()) return Verdict::violated(unwanted(expected, kNoRow, request.definition));
    const Reply<Buffer>& reply = asked->answer(s, i);
    if (!reply.ok()) return Verdict::violated(unwanted(reply, kNoRow, request.definition));
    if (equal(expected.value.view(), reply.value.view())) {
      // An image that both give and the verifier refuses is the oracle's own fault.
      if (asked->valid(s, i)) continue;
      for (Violation& v : judge_image(reply.value.view())) found.push_back(std::move(v));
      continue;
    }
    if (!is_steady(s, request, reply.value)) {
      add(found, "LOW-011", request.definition, "the same image again", "another");
      continue;
    }
    for (Violation& v : compare_images(expected.value.view(), reply.value.view(), &request)) found.push_back(std::move(v));
  }
  return Verdict::of(std::move(found));
}

Verdict engines_by_name(const Subject& s, const Case& c) {
  return each_view(s, of(c).model, [](const View& view, const LowerRequest&, std::vector<Violation>& out) {
    for (std::size_t i = 0; i < std::size(kEngines); ++i) {
      const DirEntry* e = engine_at(view, i);
      const auto record = at<kbin_engine_t>(view, e->offset);
      const std::string name = name_of(record.name);
      const auto known = std::find_if(std::begin(kEngines), std::end(kEngines), [&](const auto& k) { return k.first == name; });
      if (known == std::end(kEngines)) {
        add(out, "LOW-012", fmt::format("engine[{}].name", i), std::string(kEngines[i].first), name);
      } else if (known->first != kEngines[i].first) {
        add(out, "LOW-002", fmt::format("engine[{}].name", i), std::string(kEngines[i].first), name);
        return;
      } else if (record.eng_type != static_cast<std::uint32_t>(code(known->second))) {
        add(out, "LOW-002", fmt::format("engine[{}].eng_type", i), fmt::format("{}", code(known->second)),
            fmt::format("{}", record.eng_type));
      }
    }
  });
}

Verdict ninstr_and_blob(const Subject& s, const Case& c) {
  const Model& model = of(c).model;
  return each_view(s, model, [&](const View& view, const LowerRequest& q, std::vector<Violation>& out) {
    for (std::size_t i = 0; i < std::size(kEngines); ++i) {
      const DirEntry* e = engine_at(view, i);
      const auto record = at<kbin_engine_t>(view, e->offset);
      const ByteView want = code_of(model, *q.members, q.definition, name_of(record.name));
      const ByteView got = view.bytes().subspan(e->offset + sizeof record, e->size - sizeof record);
      const std::string place = fmt::format("engine[{}]", i);
      if (!equal(want, got)) {
        const bool inside = got.size() > want.size() && std::search(got.begin(), got.end(), want.begin(), want.end()) != got.end();
        add(out, inside ? "LOW-004" : "LOW-003", place + ".instr", fmt::format("{} bytes of code at +320", want.size()),
            fmt::format("{} bytes{}", got.size(), inside ? ", the code among them" : ", not that code"));
      } else if (record.ninstr != want.size() >> 6) {
        add(out, "LOW-003", place + ".ninstr", fmt::format("{}", want.size() >> 6), fmt::format("{}", record.ninstr));
      }
    }
  });
}

Verdict ids_and_counts(const Subject& s, const Case& c) {
  const Model& model = of(c).model;
  return each_view(s, model, [&](const View& view, const LowerRequest& q, std::vector<Violation>& out) {
    const Json* var = key(document(model, q.definition), "var");
    if (var == nullptr) return;
    const auto records = variables_in(view);
    if (records.size() != var->size())
      return add(out, "LOW-006", "mem_ref_set.nmem", fmt::format("{}", var->size()), fmt::format("{}", records.size()));
    std::map<std::uint64_t, std::string> names;
    for (const auto& [name, v] : var->items()) names[v.at("var_id").get<std::uint64_t>()] = name;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (records[i].record.var_id == i && records[i].name == names[i]) continue;
      return add(out, "VAR-031", fmt::format("mem_ref_set.mem[{}]", i), fmt::format("var_id {} \"{}\"", i, names[i]),
                 fmt::format("var_id {} \"{}\"", records[i].record.var_id, records[i].name));
    }
  });
}

Verdict allocations(const Subject& s, const Case& c) {
  const Model& model = of(c).model;
  return each_view(s, model, [&](const View& view, const LowerRequest& q, std::vector<Violation>& out) {
    const Json* var = key(document(model, q.definition), "var");
    for (std::size_t i = 0; i < view.records(); ++i) {
      const DirEntry& e = view.record_at(i);
      std::uint64_t want = e.size;
      std::string_view row = "LOW-005";
      if (e.kind == Kind::dma) {
        want = 296 + 8ULL * at<kbin_dma_t>(view, e.offset).ring_instance_count;
      } else if (e.kind == Kind::ring_instance) {
        want = 264 + 5456ULL * at<kbin_dma_ring_instance_t>(view, e.offset).ndesc;
        row = "DMB-041";
      } else if (e.kind == Kind::mem_ref_set && var != nullptr) {
        want = 24 + 152ULL * at<kbin_mem_ref_set_t>(view, e.offset).nmem;
      } else if (e.kind == Kind::engine) {
        const auto name = name_of(at<kbin_engine_t>(view, e.offset).name);
        const std::uint64_t blob = code_of(model, *q.members, q.definition, name).size();
        if (e.size < 320 + blob) continue;  // code that was cut is LOW-003's
        want = 320 + blob;
        row = "LOW-004";
      }
      if (e.size != want) add(out, row, fmt::format("directory[{}]", i), fmt::format("{} bytes", want), fmt::format("{} bytes", e.size));
    }
  });
}

Verdict dtype_and_shape(const Subject& s, const Case& c) {
  const Model& model = of(c).model;
  return each_view(s, model, [&](const View& view, const LowerRequest& q, std::vector<Violation>& out) {
    const Json* var = key(document(model, q.definition), "var");
    for (const VariableAt& v : variables_in(view)) {
      const Json* written = key(var, v.name);
      if (written == nullptr) continue;
      const std::string type = written->at("type").get<std::string>();
      const bool has = type != "pointer" && type != "list" && type != "dge-table" && type != "remote";
      const Json* dtype = has ? key(written, "dtype") : nullptr;
      const Json* shape = has ? key(written, "shape") : nullptr;
      const std::string want = dtype == nullptr ? std::string() : dtype->get<std::string>();
      std::array<char, 16> padded{};
      std::copy_n(want.data(), std::min<std::size_t>(want.size(), 15), padded.data());
      const std::string place = fmt::format("mem_ref_set.mem[{}]", v.record.var_id);
      if (!std::equal(padded.begin(), padded.end(), v.record.dtype))
        add(out, has ? "VAR-015" : "VAR-018", place + ".dtype", want, std::string(v.record.dtype, ::strnlen(v.record.dtype, 16)));
      for (std::size_t i = 0; i < 8; ++i) {
        const std::uint64_t dim = shape != nullptr && i < shape->size() ? (*shape)[i].get<std::uint64_t>() : 0;
        if (v.record.shape[i] != dim)
          add(out, has ? "VAR-017" : "VAR-018", fmt::format("{}.shape[{}]", place, i), fmt::format("{}", dim),
              fmt::format("{}", v.record.shape[i]));
      }
    }
  });
}

Verdict queues_by_name(const Subject& s, const Case& c) {
  const Model& model = of(c).model;
  return each_view(s, model, [&](const View& view, const LowerRequest& q, std::vector<Violation>& out) {
    const Json* queues = key(document(model, q.definition), "dma_queue");
    std::size_t i = 0;
    if (queues != nullptr)
      for (const auto& [name, queue] : queues->items()) {  // nlohmann's objects are in byte order
        const DirEntry* e = view.follow(image::kRoot + offsetof(kbin_t, dma) + 8 * i);
        const std::string place = fmt::format("dma[{}]", i++);
        if (e == nullptr) return add(out, "DMQ-001", place, "queue " + name, "NULL");
        const Json* listed = key(&queue, "queue_instances");
        const auto record = at<kbin_dma_t>(view, e->offset);
        if (listed == nullptr || listed->size() > record.ring_instance_count) continue;
        for (std::size_t k = 0; k < listed->size(); ++k) {
          const DirEntry* instance = view.follow(e->offset + sizeof(kbin_dma_t) + 8 * k);
          const auto got = name_of(at<kbin_dma_ring_instance_t>(view, instance->offset).name);
          const auto full = (*listed)[k].get<std::string>();
          // Which instances a record has tells its queue: names are listed once in a sub-graph (DMQ-021).
          if (got != full.substr(0, 255) && !(got.size() >= 200 && full.compare(0, got.size(), got) == 0)) {
            bool own = false;
            for (const Json& other : *listed) own |= other.get<std::string>().substr(0, 255) == got;
            return add(out, own ? "DMQ-020" : "DMQ-001", fmt::format("{}.ring_instances[{}].name", place, k), full, got);
          }
        }
      }
    const DirEntry* beyond = i < 32 ? view.follow(image::kRoot + offsetof(kbin_t, dma) + 8 * i) : nullptr;
    if (beyond != nullptr) add(out, "DMQ-001", fmt::format("dma[{}]", i), "NULL", "a record");
  });
}

Verdict io_sizes(const Subject& s, const Case& c) {
  const auto neff = to_neff(of(c).model, 1);
  if (!neff) return Verdict::cannot_say(neff.error().text());
  LowerNeffRequest q;
  q.neff = neff->view();
  if (of(c).model.options.arch) q.arch = static_cast<std::uint32_t>(code(*of(c).model.options.arch));
  q.allow_legacy = of(c).model.options.allow_legacy;
  const auto reply = s.lower_neff(q);
  if (!reply.ok()) return Verdict::violated(unwanted(reply, kNoRow, "file"));
  // Bytes an element, by the codes of nrt_dtype_t (enums.json, nrt_dtype_size).
  static const std::map<std::int64_t, std::uint64_t> kBytes = {{0, 1}, {1, 8}, {2, 1}, {3, 1}, {4, 2}, {5, 2}, {6, 2}, {7, 2},
                                                               {8, 4}, {9, 4}, {10, 4}, {11, 4}, {12, 8}};
  std::vector<Violation> found;
  for (const auto* list : {&reply.value.io.inputs, &reply.value.io.outputs})
    for (const Tensor& t : *list) {
      const auto bytes = kBytes.find(code(t.dtype));
      if (bytes == kBytes.end()) continue;
      std::uint64_t size = bytes->second;
      for (const std::uint64_t d : t.shape) size *= d;  // a valid model's product fits, or is 0
      if (size != t.size)
        add(found, "DT-004", t.name, fmt::format("{} of dtype {}", size, code(t.dtype)), fmt::format("{}", t.size));
    }
  if (&s != &reference())
    for (Violation& v : compare_files(reply, reference().lower_neff(q))) found.push_back(std::move(v));
  return Verdict::of(std::move(found));
}

Verdict targets_beyond(const Subject& s, const Case& c) {
  const auto asked = ask_about(of(c).model);
  if (asked->graphs() == 0) return Verdict::cannot_say("no graph");
  std::vector<Violation> found;
  for (const std::uint32_t target : {0u, 1u, 5u, 0xffffffffu}) {
    LowerRequest q = asked->request(0);
    q.target = target;
    const auto reply = s.lower(q);
    if (!reply.refused())
      add(found, target == 0 ? "LOW-007" : "LOW-008", fmt::format("target {}", target), "refused", reply_text(reply.status, reply.reason));
    if (reply.refused() && reply.refusal && reply.refusal->row().requirement != (target == 0 ? "LOW-007" : "LOW-008"))
      add(found, target == 0 ? "LOW-007" : "LOW-008", fmt::format("target {}", target), "refused for it", reply.refusal->text());
  }
  return Verdict::of(std::move(found));
}

}  // namespace assay::harness::checks
