// SPDX-License-Identifier: Apache-2.0
// A case as the files it is stored in, and back.
#include <fmt/format.h>

#include <algorithm>

#include "harness/cases/case_json.h"
#include "harness/cases/files.h"
#include "oracle/container/container.h"

namespace assay::harness {
namespace {

using namespace case_json;
using Error = tl::unexpected<std::string>;
constexpr std::int64_t kExact = std::int64_t{1} << 53;  // of a double; beyond it integers are strings

// ---- to files ----

struct Files {
  Json head = Json::object();
  CaseFiles files;
  std::string error;

  void neff(const char* name, const Model& model, const Members* other = nullptr) {
    const auto packed = other == nullptr ? to_neff(model) : pack(*other, {});
    if (packed) files[name] = packed->text();
    else error = fmt::format("{}: {}", name, packed.error().text());
  }

  void operator()(const ModelCase& c) {
    head["options"] = options_json(c.model.options);
    neff("input.neff", c.model);
  }
  void operator()(const NearMissCase& c) {
    head["options"] = options_json(c.miss.broken.options);
    // Where the defect is in the options themselves.
    if (Json twin = options_json(c.miss.twin.options); twin != head["options"]) head["twin_options"] = std::move(twin);
    head["near_miss"] = c.miss.kind->name;
    put_reason(head, c.miss.kind->reason);
    head["place"] = place_json(c.miss.place);
    neff("input.neff", c.miss.broken);
    neff("twin.neff", c.miss.twin);
  }
  void operator()(const TextCase& c) {
    head["options"] = options_json(c.model.options);
    head["definition"] = c.definition;
    head["seed"] = std::to_string(c.seed);
    if (!c.kind.empty()) head["misspelling"] = c.kind;
    if (c.reason) put_reason(head, *c.reason);
    Members members = to_members(c.model);
    members.put(c.definition, Buffer(c.text));
    neff("input.neff", c.model, &members);
    neff("twin.neff", c.model);
  }
  void operator()(const ImageCase& c) { files["input.kbin"] = c.image.text(); }
  void operator()(const CorruptionCase& c) {
    head["corruption"] = c.corruption.kind->name;
    put_reason(head, c.corruption.kind->reason);
    head["place"] = place_json({{}, {}, c.corruption.offset, {}});
    files["input.kbin"] = c.corruption.image.text();
    files["twin.kbin"] = c.valid.text();
  }
  void operator()(const NeffCase& c) {
    head["options"] = options_json(c.neff.options);
    head["neff"] = c.neff.kind->name;
    if (c.neff.kind->reason) put_reason(head, *c.neff.kind->reason);
    if (c.neff.offset != ~std::uint64_t{0}) head["place"] = place_json({{}, {}, c.neff.offset, {}});
    files["input.neff"] = c.neff.file.text();
    if (!c.neff.twin.empty()) files["twin.neff"] = c.neff.twin.text();
    // What it must come to, and in no archive: that is what might be misread, and not all paths can be packed.
    Json members = Json::array();
    for (const auto& [path, bytes] : c.neff.members) {
      members.push_back({{"path", path}, {"bytes", to_base64(std::string(bytes.text()))}});
      if (Json::parse(print(Json(path)), nullptr, false) != Json(path)) members.back()["path_base64"] = to_base64(path);
    }
    files["members.json"] = print(members);
  }
  void operator()(const DtypeCase& c) {
    const auto numbers = [](const std::vector<std::int64_t>& list) {
      Json out = Json::array();
      for (const std::int64_t v : list)
        out.push_back(v > kExact || v < -kExact ? Json(std::to_string(v)) : Json(v));
      return out;
    };
    Json match = Json::array();
    for (const auto& m : c.request.match)
      match.push_back({{"table", m.neff_io ? "neff_io" : "defjson"}, {"text", to_base64(m.text)}});
    files["input.json"] = print({{"match", std::move(match)},
                                 {"to_sdma", numbers(c.request.to_sdma)},
                                 {"cce_op", numbers(c.request.cce_op)},
                                 {"size", numbers(c.request.size)}});
  }
};

// ---- from files ----

struct Reader {
  const CaseFiles& files;
  Json head;

  Stored<std::string> bytes(const char* name) const {
    const auto it = files.find(name);
    if (it == files.end()) return Error(fmt::format("{} is missing", name));
    return it->second;
  }

  Stored<Members> members(const char* name) const {
    const auto file = bytes(name);
    if (!file) return Error(file.error());
    auto read = read_neff(as_bytes(*file), {});
    if (!read) return Error(fmt::format("{}: {}", name, read.error().text()));
    return std::move(*read);
  }

  Stored<Members> listed_members() const {
    const auto file = bytes("members.json");
    if (!file) return Error(file.error());
    const Json list = Json::parse(*file, nullptr, false);
    Members out;
    if (!list.is_array()) return Error("members.json: a JSON array is expected");
    for (const Json& m : list) {
      if (!m.is_object()) return Error("members.json: an object is expected");
      const auto content = from_base64(value_at<std::string>(m, "bytes").value_or(""));
      const auto hidden = value_at<std::string>(m, "path_base64");
      const auto path = hidden ? from_base64(*hidden) : value_at<std::string>(m, "path").value_or("");
      if (!content || !path) return Error("members.json: " + (content ? path.error() : content.error()));
      out.put(*path, Buffer(*content));
    }
    return out;
  }

  Stored<Model> model(const char* name) const {
    const auto read = members(name);
    if (!read) return Error(read.error());
    const auto options = options_of(head);
    if (!options) return Error(options.error());
    return from_members(*read, *options);
  }

  Stored<Case> model_case() const {
    auto m = model("input.neff");
    if (!m) return Error(m.error());
    return ModelCase{std::move(*m)};
  }

  Stored<Case> near_miss() const {
    auto broken = model("input.neff"), twin = model("twin.neff");
    const auto kind = kind_named(near_miss_kinds(), head, "near_miss");
    if (!broken || !twin) return Error(broken ? twin.error() : broken.error());
    if (!kind) return Error(kind.error());
    if (head.contains("twin_options")) {
      const auto options = options_of(head, "twin_options");
      if (!options) return Error(options.error());
      twin->options = *options;
    }
    return NearMissCase{{*kind, std::move(*twin), std::move(*broken), place_of(head)}};
  }

  Stored<Case> text() const {
    const auto spelled = members("input.neff");
    auto twin = model("twin.neff");
    if (!spelled || !twin) return Error(spelled ? twin.error() : spelled.error());
    TextCase c;
    c.definition = value_at<std::string>(head, "definition").value_or("");
    const Buffer* text = spelled->find(c.definition);
    if (text == nullptr) return Error("case.json: definition names no member of input.neff");
    const std::string seed = value_at<std::string>(head, "seed").value_or("");
    c.seed = std::strtoull(seed.c_str(), nullptr, 10);
    c.text = text->text();
    c.kind = value_at<std::string>(head, "misspelling").value_or("");
    c.reason = reason_of(head);
    if (!c.kind.empty() && !c.reason) return Error("case.json: reason: there is none of that name");
    c.model = std::move(*twin);
    return c;
  }

  Stored<Case> image() const {
    const auto file = bytes("input.kbin");
    if (!file) return Error(file.error());
    return ImageCase{Buffer(*file)};
  }

  Stored<Case> corruption() const {
    const auto file = bytes("input.kbin"), twin = bytes("twin.kbin");
    const auto kind = kind_named(corruption_kinds(), head, "corruption");
    if (!file || !twin) return Error(file ? twin.error() : file.error());
    if (!kind) return Error(kind.error());
    return CorruptionCase{Buffer(*twin), {*kind, Buffer(*file), place_of(head).offset.value_or(0)}};
  }

  Stored<Case> neff() const {
    const auto file = bytes("input.neff");
    const auto kind = kind_named(neff_kinds(), head, "neff");
    auto inside = listed_members();
    const auto options = options_of(head);
    if (!options) return Error(options.error());
    if (!file) return Error(file.error());
    if (!kind) return Error(kind.error());
    if (!inside) return Error(inside.error());
    const auto twin = files.find("twin.neff");
    return NeffCase{{*kind, *options, Buffer(*file),
                     twin == files.end() ? Buffer() : Buffer(twin->second), std::move(*inside),
                     place_of(head).offset.value_or(~std::uint64_t{0})}};
  }

  Stored<Case> dtype() const {
    const auto file = bytes("input.json");
    if (!file) return Error(file.error());
    const Json j = Json::parse(*file, nullptr, false);
    DtypeCase c;
    if (!j.is_object()) return Error("input.json: a JSON object is expected");
    for (const auto& [key, list] : {std::pair("to_sdma", &c.request.to_sdma), std::pair("cce_op", &c.request.cce_op),
                                    std::pair("size", &c.request.size)}) {
      const auto it = j.find(key);
      if (it == j.end() || !it->is_array()) continue;
      for (const Json& v : *it) {
        if (!v.is_number_integer() && !v.is_string()) return Error(fmt::format("input.json: {}: no integer", key));
        list->push_back(v.is_string() ? std::strtoll(v.get_ref<const std::string&>().c_str(), nullptr, 10)
                                      : v.get<std::int64_t>());
      }
    }
    const auto match = j.find("match");
    if (match == j.end() || !match->is_array()) return c;
    for (const Json& m : *match) {
      if (!m.is_object()) return Error("input.json: match: an object is expected");
      const auto text = from_base64(value_at<std::string>(m, "text").value_or(""));
      if (!text) return Error("input.json: match: " + text.error());
      const std::string table = value_at<std::string>(m, "table").value_or("");
      if (table != "neff_io" && table != "defjson")
        return Error(fmt::format("input.json: match: there is no table \"{}\"", table));
      c.request.match.push_back({table == "neff_io", *text});
    }
    return c;
  }
};

struct Row {
  CaseKind kind;
  Stored<Case> (Reader::*read)() const;
};
constexpr Row kRows[] = {
    {CaseKind::model, &Reader::model_case}, {CaseKind::near_miss, &Reader::near_miss},
    {CaseKind::text, &Reader::text},        {CaseKind::image, &Reader::image},
    {CaseKind::corruption, &Reader::corruption}, {CaseKind::neff, &Reader::neff},
    {CaseKind::dtype, &Reader::dtype},
};

}  // namespace

Stored<CaseFiles> files_of(const Case& c, const std::string& reason) {
  Files f;
  f.head["kind"] = name_of(kind_of(c));
  std::visit(f, c);
  if (!f.error.empty()) return Error(f.error);
  f.files["case.json"] = print(f.head);
  std::string line = reason;
  std::replace_if(line.begin(), line.end(), [](char ch) { return ch == '\n' || ch == '\r'; }, ' ');
  f.files["reason.txt"] = line + "\n";
  return std::move(f.files);
}

Stored<Case> case_of(const CaseFiles& files) {
  Reader r{files, {}};
  const auto text = r.bytes("case.json");
  if (!text) return Error(text.error());
  r.head = Json::parse(*text, nullptr, false);
  if (!r.head.is_object()) return Error("case.json: a JSON object is expected");
  if (const auto id = value_at<std::string>(r.head, "reason"); id && reason_named(*id) == nullptr)
    return Error(fmt::format("case.json: there is no reason \"{}\"", *id));
  const std::string kind = value_at<std::string>(r.head, "kind").value_or("");
  for (const Row& row : kRows)
    if (name_of(row.kind) == kind) return (r.*row.read)();
  return Error(fmt::format("case.json: there is no kind \"{}\" of case", kind));
}

std::string slug_of(const Case& c) {
  std::string slug(name_of(kind_of(c)));
  const auto add = [&](std::string_view more) {
    if (!more.empty()) slug += "-" + std::string(more);
  };
  if (const auto* n = std::get_if<NearMissCase>(&c)) add(n->miss.kind->name);
  if (const auto* t = std::get_if<TextCase>(&c)) add(t->kind.empty() ? "respelled" : t->kind);
  if (const auto* k = std::get_if<CorruptionCase>(&c)) add(k->corruption.kind->name);
  if (const auto* f = std::get_if<NeffCase>(&c)) add(f->neff.kind->name);
  for (char& ch : slug)
    if (!(ch >= 'a' && ch <= 'z') && !(ch >= '0' && ch <= '9') && ch != '-') ch = '-';
  return slug;
}

}  // namespace assay::harness
