// SPDX-License-Identifier: Apache-2.0
// Drafts from the sources by hand: models.json and one file of cases an area.
#include <fmt/format.h>

#include <map>

#include "conformance/protocol/requests.h"
#include "conformance/vectors/draft.h"
#include "conformance/vectors/edits.h"
#include "harness/cases/files.h"
#include "oracle/image/image.h"

namespace assay::conformance::vectors {
namespace {

using Error = std::optional<std::string>;

template <class T>
T or_stop(Read<T> r) {  // requests of the generator's own making
  return r ? std::move(*r) : T();
}

// ["pe", "%i"] with what each element of "each" puts in place of {0}, {1} ...
Json filled(const Json& value, const Json& with) {
  if (value.is_string()) {
    std::string text = value.get<std::string>();
    for (std::size_t i = 0; i < with.size(); ++i) {
      const std::string mark = fmt::format("{{{}}}", i);
      if (text == mark) return with[i];
      const std::string plain = with[i].is_string() ? with[i].get<std::string>() : with[i].dump();
      for (std::size_t at; (at = text.find(mark)) != std::string::npos;) text.replace(at, mark.size(), plain);
    }
    return text;
  }
  if (!value.is_structured()) return value;
  Json out = value;
  for (Json& v : out) v = filled(v, with);
  return out;
}

class Sources {
 public:
  Error models(const Json& file) {
    for (const auto& [name, m] : file.items())
      if (auto e = model(file, name)) return e;
    return std::nullopt;
  }

  Error cases(const Json& file) {
    const Json once = Json::array({Json::array()});
    for (const Json& c : file) {
      const std::size_t first = drafts.size();
      for (const Json& with : c.contains("each") ? c["each"] : once)
        if (auto e = several(filled(c, with), c.value("one_twin", false) ? first : drafts.size())) return e;
    }
    return std::nullopt;
  }

  std::vector<Draft> drafts;

 private:
  Error model(const Json& file, const std::string& name) {
    if (models_.count(name) != 0) return std::nullopt;
    const Json& m = file.at(name);
    Setting s;
    if (m.contains("base")) {
      const std::string base = m["base"].get<std::string>();
      if (auto e = model(file, base)) return e;
      s = models_.at(base);
    }
    const Json members = m.value("members", Json::object());
    for (const auto& [path, doc] : members.items()) s.model.put(path, expanded(doc));
    if (auto e = edited(m.value("with", Json::array()), s)) return "model " + name + ": " + *e;
    models_[name] = std::move(s);
    return std::nullopt;
  }

  // A list of edits in place of an edit is its edits.
  static Error edited(const Json& edits, Setting& s) {
    for (const Json& e : edits)
      if (e.empty() || e[0].is_array()) {
        if (auto wrong = edited(e, s)) return wrong;
      } else if (auto wrong = apply(e, s)) {
        return *wrong + " in " + e.dump();
      }
    return std::nullopt;
  }

  static tl::expected<Json, std::string> request(Op op, const Setting& s) {
    if (op == Op::lower_neff) {
      PackOptions pack;
      pack.pkg_version = s.pkg_version;
      auto file = assay::pack(to_members(s.model), pack);
      if (!file) return tl::unexpected(file.error().text());
      std::string bytes(file->text());
      for (const Json& e : s.file_edits)
        if (auto wrong = apply_to_bytes(e, bytes)) return tl::unexpected(*wrong + " in " + e.dump());
      return neff_request(as_bytes(bytes), s.model.options);
    }
    const Members members = to_members(s.model);
    if (op == Op::lower)
      return lower_request(members, s.definition, s.target, s.model.options.allow_legacy, s.model.options.fp8,
                           s.subgraph);
    harness::LowerRequest q;
    q.members = &members;
    q.definition = s.definition;
    q.target = s.target;
    const auto image = harness::oracle_subject().lower(q);
    if (!image.ok()) return tl::unexpected("the model of an image does not lower: " + image.reason + " " + image.at);
    std::string bytes(image.value.text());
    for (const Json& e : s.file_edits)
      if (auto wrong = e.at(0) == "field" ? set_field(e, bytes) : apply_to_bytes(e, bytes))
        return tl::unexpected(*wrong + " in " + e.dump());
    return decode_request(as_bytes(bytes));
  }

  // ["field", path, value]: an integer field of a valid image, its checksum and header target mended.
  static Error set_field(const Json& e, std::string& bytes) {
    std::optional<std::pair<std::uint64_t, std::size_t>> at;
    const auto path = e.at(1).get<std::string>();
    const auto view = assay::decode(as_bytes(bytes));
    if (!view) return "no image to edit: " + view.error().text();
    walk(*view, [&](const FieldVisit& v) {
      if (v.path == path && !v.is_bytes && v.type != FieldType::pointer) at = {v.offset, v.raw.size()};
    });
    if (!at) return "no field";
    const auto value = static_cast<std::uint64_t>(e.at(2).get<std::int64_t>());
    for (std::size_t i = 0; i < at->second; ++i) bytes[at->first + i] = static_cast<char>(value >> (8 * i));
    if (path == "target") bytes[image::kTargetAt] = static_cast<char>(value);
    const std::uint32_t crc = crc32_of(as_bytes(bytes).subspan(image::kHeaderSize));
    for (std::size_t i = 0; i < 4; ++i) bytes[image::kCrcAt + i] = static_cast<char>(crc >> (8 * i));
    return std::nullopt;
  }

  // "as": keys of each of several cases that share all others. Those of the same rows and twin, of the drafts from
  // `first` on, name the first one's.
  Error several(const Json& c, std::size_t first) {
    const Json alone = Json::array({Json::object()});
    for (const Json& keys : c.contains("as") ? c["as"] : alone) {
      Json made = c;
      made.update(keys);
      if (auto e = one(made)) return e;
      Draft& d = drafts.back();
      for (std::size_t i = first; d.twin && i + 1 < drafts.size() && d.twin_of.empty(); ++i)
        if (drafts[i].twin == d.twin && drafts[i].rows == d.rows) d.twin_of = drafts[i].id;
    }
    return std::nullopt;
  }

  // Keys: id, rows, say, base, op, with (both sides), fault (the twin lacks it), other (edits of the case that must be
  // answered differently), request (dtype), flags.
  Error one(const Json& c) {
    Draft d;
    d.id = c.at("id").get<std::string>();
    d.rows = c.value("rows", std::vector<std::string>{d.id.substr(0, d.id.find('/'))});
    d.say = c.at("say").get<std::string>();
    d.flags = c.value("flags", std::vector<std::string>());
    const auto op = op_named(c.value("op", "lower"));
    if (!op) return d.id + ": no such op";
    d.op = *op;
    if (d.op == Op::dtype) {
      d.request = dtype_request(c.at("request"));
      if (c.contains("other")) d.other = dtype_request(c["other"]);
      drafts.push_back(std::move(d));
      return std::nullopt;
    }
    const auto base = models_.find(c.value("base", "tiny"));
    if (base == models_.end()) return d.id + ": no model " + c.value("base", "tiny");
    const auto make = [&](std::initializer_list<const char*> keys, Json& to) -> Error {
      Setting s = base->second;
      for (const char* key : keys)
        if (auto e = edited(c.value(key, Json::array()), s)) return d.id + ": " + *e;
      auto r = request(d.op, s);
      if (!r) return d.id + ": " + r.error();
      to = std::move(*r);
      return std::nullopt;
    };
    Json other;
    if (auto e = make({"with", "fault"}, d.request)) return e;
    if (c.contains("fault")) {
      if (auto e = make({"with", "mend"}, other)) return e;
      d.twin = std::move(other);
    } else if (c.contains("other")) {
      if (auto e = make({"with", "other"}, other)) return e;
      d.other = std::move(other);
    }
    drafts.push_back(std::move(d));
    return std::nullopt;
  }

  // Texts are plain in the sources.
  static Json dtype_request(Json request) {
    for (Json& m : request["match"].is_array() ? request["match"] : request["match"] = Json::array())
      m["text"] = harness::to_base64(expanded(m["text"]).get<std::string>());
    for (const char* key : {"to_sdma", "cce_op", "size"})
      if (!request.contains(key)) request[key] = Json::array();
    return request;
  }

  std::map<std::string, Setting> models_;
};

}  // namespace

Json lower_request(const Members& members, const std::string& definition, std::uint32_t target, bool allow_legacy,
                   const Fp8Overrides& fp8, std::uint32_t subgraph) {
  harness::LowerRequest q;
  q.members = &members;
  q.definition = definition;
  q.target = target;
  q.allow_legacy = allow_legacy;
  q.fp8 = fp8;
  q.subgraph = subgraph;
  return Json::parse(or_stop(request_of(q)), nullptr, false);
}

Json neff_request(ByteView file, const Options& options) {
  harness::LowerNeffRequest q;
  q.neff = file;
  if (options.arch) q.arch = static_cast<std::uint32_t>(code(*options.arch));
  q.allow_legacy = options.allow_legacy;
  q.verify_digest = options.verify_digest;
  return Json::parse(request_of(q), nullptr, false);
}

Json decode_request(ByteView image) { return Json::parse(request_of_decode(image), nullptr, false); }

tl::expected<std::vector<Draft>, std::string> written_drafts(const std::string& directory) {
  Sources sources;
  const auto read = [&](const std::string& name) -> tl::expected<Json, std::string> {
    const auto text = harness::read_whole(directory + "/" + name);
    if (!text) return tl::unexpected(text.error());
    try {
      return Json::parse(*text);
    } catch (const Json::exception& e) {
      return tl::unexpected(name + ": " + e.what());
    }
  };
  const auto names = harness::names_in(directory);
  if (!names) return tl::unexpected(names.error());
  std::string at;
  try {
    auto models = read(at = "models.json");
    if (!models) return tl::unexpected(models.error());
    if (auto e = sources.models(*models)) return tl::unexpected(*e);
    for (const std::string& name : *names) {
      if (name == "models.json" || name.size() < 5 || name.substr(name.size() - 5) != ".json") continue;
      auto cases = read(at = name);
      if (!cases) return tl::unexpected(cases.error());
      if (auto e = sources.cases(*cases)) return tl::unexpected(name + ": " + *e);
    }
  } catch (const std::exception& e) {  // the sources are ours: what is wrong in them is said and mended
    const std::string id = sources.drafts.empty() ? "the first case" : "what follows " + sources.drafts.back().id;
    return tl::unexpected(at + ": " + id + ": " + e.what());
  }
  return std::move(sources.drafts);
}

}  // namespace assay::conformance::vectors
