// SPDX-License-Identifier: Apache-2.0
// The one file of this room that pays for nlohmann's header.
#include "cli/reports.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/neff_fields.h"
#include "cli/text.h"

namespace assay::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string print(const Json& j) {
  return j.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Integers beyond what a double holds exactly are decimal strings.
Json number(std::uint64_t v) {
  if (v > std::uint64_t{1} << 53) return std::to_string(v);
  return v;
}

template <class T>
Json number_or_null(const std::optional<T>& v) {
  return v ? number(*v) : Json(nullptr);
}

std::string hex32(std::uint32_t v) { return fmt::format("{:08x}", v); }

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<std::uint8_t>(c));
  return out;
}

Json array() { return Json::array(); }

Json refusal_object(const Refusal& r) {
  const ReasonRow& row = r.row();
  return {{"reason", row.id},
          {"requirement", row.requirement},
          {"status", name_of(row.status)},
          {"outcome", name_of(row.outcome)},
          {"member", r.place.member},
          {"pointer", r.place.pointer},
          {"offset", number_or_null(r.place.offset)},
          {"field", r.place.field},
          {"detail", r.detail},
          {"text", r.text()}};
}

Json tensors(const std::vector<Tensor>& list) {
  Json out = array();
  for (const Tensor& t : list) {
    Json shape = array();
    for (const std::uint64_t n : t.shape) shape.push_back(number(n));
    out.push_back({{"name", t.name},
                   {"dtype", enum_name(EnumId::NrtDtype, code(t.dtype))},
                   {"shape", std::move(shape)},
                   {"size", number(t.size)}});
  }
  return out;
}

Json finding_list(const std::vector<Finding>& findings) {
  Json out = array();
  for (const Finding& f : findings) {
    const ReasonRow& row = row_of(f.reason);
    const SplitPath path = split_path(f.path);
    out.push_back({{"requirement", row.requirement},
                   {"reason", row.id},
                   {"path", f.path},
                   {"record", path.record},
                   {"field", path.field},
                   {"offset", number(f.offset)},
                   {"text", row.text},
                   {"detail", f.detail}});
  }
  return out;
}

const char* text_of(Grade g) {
  return g == Grade::high ? "high" : g == Grade::medium ? "medium" : "ruling";
}

Json difference_list(const std::vector<Difference>& list) {
  Json out = array();
  for (const Difference& d : list)
    out.push_back({{"path", d.path},
                   {"a", d.a},
                   {"b", d.b},
                   {"evidence", text_of(d.grade)},
                   {"offset_a", number(d.offset_a)},
                   {"offset_b", number(d.offset_b)}});
  return out;
}

}  // namespace

SplitPath split_path(const std::string& path) {
  const auto dot = path.rfind('.');
  if (dot == std::string::npos) return {"", path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

const char* text_of(Digest digest) {
  switch (digest) {
    case Digest::matches: return "matches";
    case Digest::differs: return "differs";
    case Digest::of_nothing: return "empty archive";
  }
  return "?";
}

std::string to_json(const Refusal& refusal) {
  return print({{"refused", refusal_object(refusal)}});
}

std::string to_json(const LowerReport& report) {
  Json graphs = array();
  for (const GraphReport& g : report.graphs) {
    Json ninstr = Json::object(), assumed = array();
    for (std::size_t i = 0; i < g.ninstr.size(); ++i) ninstr[kEngineNames[i]] = g.ninstr[i];
    for (const Place& p : g.assumed)
      assumed.push_back({{"requirement", "DMB-019"}, {"member", p.member}, {"pointer", p.pointer}});
    graphs.push_back({{"name", g.name},
                      {"file", g.file.empty() ? Json(nullptr) : Json(g.file)},
                      {"image_bytes", number(g.image_bytes)},
                      {"crc32", hex32(g.crc32)},
                      {"variables", g.variables},
                      {"queues", g.queues},
                      {"descriptors", g.descriptors},
                      {"ninstr", std::move(ninstr)},
                      {"assumed", std::move(assumed)}});
  }
  return print({{"target", arch_name(report.target)},
                {"graphs", std::move(graphs)},
                {"inputs", tensors(report.io.inputs)},
                {"outputs", tensors(report.io.outputs)}});
}

std::string to_json(const std::vector<CheckReport>& reports) {
  Json images = array();
  for (const CheckReport& r : reports) {
    if (!r.error.empty()) {
      images.push_back({{"image", r.image}, {"error", r.error}});
      continue;
    }
    Json notes = array();
    for (const Note& n : r.notes)
      notes.push_back({{"requirement", n.requirement}, {"path", n.path}, {"text", n.text}});
    Json j = {{"image", r.image},
              {"ok", r.inspection.findings.empty()},
              {"walkable", r.inspection.view.has_value()}};
    if (r.inspection.view) {
      const ImageHeader& h = r.inspection.view->header();
      j["image_bytes"] = number(h.image_size);
      j["target"] = arch_name(static_cast<ArchType>(h.target));
      j["subgraph"] = h.subgraph;
      j["crc32"] = hex32(h.crc32);
      j["records"] = h.dir_count;
    }
    j["findings"] = finding_list(r.inspection.findings);
    j["truncated"] = r.inspection.truncated;
    j["notes"] = std::move(notes);
    images.push_back(std::move(j));
  }
  return print({{"images", std::move(images)}});
}

std::string to_json(const DiffSummary& s) {
  return print({{"a", s.a},
                {"b", s.b},
                {"strict", s.strict},
                {"equal", s.equal},
                {"compared", s.report.compared},
                {"differences", difference_list(s.report.high)},
                {"lower_evidence", difference_list(s.report.lower)},
                {"findings_a", finding_list(s.findings_a)},
                {"findings_b", finding_list(s.findings_b)}});
}

std::string to_json(const std::vector<MemberRow>& members) {
  Json list = array();
  std::uint64_t total = 0;
  for (const MemberRow& m : members) {
    Json j = {{"path", m.path}, {"bytes", number(m.bytes)}};
    if (!is_utf8(m.path)) j["path_hex"] = hex(m.path);
    list.push_back(std::move(j));
    total += m.bytes;
  }
  return print({{"members", std::move(list)}, {"bytes", number(total)}});
}

std::string to_json(const NeffHeaderReport& report) {
  Json fields = Json::object();
  for_each_field(report.header, [&](const HeaderField& f) {
    if (f.is_integer) {
      fields[std::string(f.name)] = number(f.integer);
    } else {
      fields[std::string(f.name)] = f.is_text ? std::string(f.bytes) : hex(f.bytes);
    }
  });
  Json j = {{"header", std::move(fields)},
            {"archive_bytes", number_or_null(report.archive_bytes)},
            {"digest", report.digest ? Json(text_of(*report.digest)) : Json(nullptr)}};
  if (report.refusal) j["refused"] = refusal_object(*report.refusal);
  return print(j);
}

std::string unpacked_json(const std::string& directory, std::uint64_t files, std::uint64_t bytes) {
  return print({{"directory", directory}, {"files", files}, {"bytes", number(bytes)}});
}

std::string packed_json(const std::string& file, std::uint64_t members, std::uint64_t bytes) {
  return print({{"file", file}, {"members", members}, {"bytes", number(bytes)}});
}

std::string to_json(const Explanation& e) {
  Json j = {{"id", e.id}};
  if (e.requirement) {
    const Requirement& r = *e.requirement;
    j["area"] = r.area;
    j["level"] = r.level;
    j["evidence"] = r.evidence;
    j["observable"] = r.observable;
    j["statement"] = r.statement;
  }
  j["reasons"] = array();
  for (const ReasonRow* row : e.reasons)
    j["reasons"].push_back({{"id", row->id},
                            {"outcome", name_of(row->outcome)},
                            {"status", name_of(row->status)},
                            {"text", row->text}});
  j["tests"] = array();
  for (const Citation& c : e.tests)
    j["tests"].push_back({{"test", c.test}, {"file", c.file}, {"line", c.line}});
  return print(j);
}

}  // namespace assay::cli
