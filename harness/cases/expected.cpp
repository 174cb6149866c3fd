// SPDX-License-Identifier: Apache-2.0
#include "harness/cases/expected.h"

#include "harness/cases/case_json.h"
#include "oracle/dtype/enums.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

using namespace case_json;

constexpr std::uint64_t kExact = std::uint64_t{1} << 53;  // of a double; beyond it integers are strings
Json number(std::uint64_t v) { return v > kExact ? Json(std::to_string(v)) : Json(v); }
std::string hex32(std::uint32_t v) { return fmt::format("{:08x}", v); }

// Name, size, and the checksum in the header, of an image.
Json image_row(std::string_view name, const std::string& file, ByteView image) {
  return {{"name", name}, {"file", file.empty() ? Json() : Json(file)}, {"bytes", number(image.size())},
          {"crc32", hex32(load<std::uint32_t>(image.data() + image::kCrcAt))}};
}

Json refused(const Refusal& r) {
  Json place = Json::object();
  if (!r.place.member.empty()) place["member"] = r.place.member;
  if (!r.place.pointer.empty()) place["pointer"] = r.place.pointer;
  if (r.place.offset) place["offset"] = number(*r.place.offset);
  if (!r.place.field.empty()) place["field"] = r.place.field;
  return {{"outcome", name_of(r.row().outcome)},
          {"status", name_of(r.row().status)},
          {"reason", r.row().id},
          {"requirement", r.row().requirement},
          {"place", std::move(place)}};
}

Json tensors(const std::vector<Tensor>& list) {
  Json out = Json::array();
  for (const Tensor& t : list) {
    Json shape = Json::array();
    for (const std::uint64_t n : t.shape) shape.push_back(number(n));
    out.push_back({{"name", t.name}, {"dtype", enum_name(EnumId::NrtDtype, code(t.dtype))},
                   {"shape", std::move(shape)}, {"size", number(t.size)}});
  }
  return out;
}

// The images go to `files`; nullptr: their rows name none.
Json lowered(const Result<Lowered>& result, CaseFiles* files) {
  if (!result) return refused(result.error());
  Json images = Json::array();
  for (std::size_t i = 0; i < result->graphs.size(); ++i) {
    const LoweredGraph& g = result->graphs[i];
    const auto image = encode(g.tree);
    if (!image) return refused(image.error());
    const std::string file = files == nullptr ? "" : fmt::format("expected/sg{:02}.kbin", i);
    images.push_back(image_row(g.name, file, image->view()));
    if (files != nullptr) (*files)[file] = image->text();
  }
  return {{"outcome", "ok"}, {"images", std::move(images)}, {"inputs", tensors(result->io.inputs)},
          {"outputs", tensors(result->io.outputs)}};
}

Json decoded(ByteView image, const char* file) {
  const auto view = decode(image);
  if (!view) return refused(view.error());
  return {{"outcome", "ok"}, {"images", Json::array({image_row("image", file, image)})}};
}

Json unpacked(ByteView file, const Options& options) {
  const auto members = read_neff(file, options);
  if (!members) return refused(members.error());
  Json list = Json::array();
  for (const auto& [path, bytes] : *members)
    list.push_back({{"path", path}, {"bytes", number(bytes.size())}, {"crc32", hex32(crc32_of(bytes.view()))}});
  return {{"outcome", "ok"}, {"members", std::move(list)}};
}

Json dtypes(const DtypeRequest& request) {
  const auto answer = oracle_subject().dtype(request);
  const auto list = [](const std::vector<std::optional<std::int64_t>>& codes) {
    Json out = Json::array();
    for (const auto& v : codes) out.push_back(v ? Json(*v) : Json("refused"));
    return out;
  };
  const DtypeAnswer& a = answer.value;
  return {{"outcome", "ok"}, {"match", list(a.match)}, {"to_sdma", list(a.to_sdma)},
          {"cce_op", list(a.cce_op)}, {"size", list(a.size)}};
}

// ---- commands ----

std::string bounds(const Options& o) {
  const Limits usual;
  std::string out;
  if (o.verify_digest) out += " --verify-digest";
  if (o.limits.expanded_bytes != usual.expanded_bytes)
    out += fmt::format(" --max-expanded-bytes {}", o.limits.expanded_bytes);
  if (o.limits.members != usual.members) out += fmt::format(" --max-members {}", o.limits.members);
  return out;
}

std::string lower_command(const char* file, const Options& o) {
  std::string out = fmt::format("assay lower {}", file);
  if (o.arch) out += fmt::format(" --arch {}", arch_name(*o.arch));
  if (o.allow_legacy) out += " --allow-legacy";
  if (o.assume_no_signals) out += " --assume-no-signals";
  each_fp8(o.fp8, [&](const char* key, const auto& v) {
    if (v) out += fmt::format(" --fp8 {}={}", key, *v);
  });
  out += bounds(o);
  if (o.limits.image_bytes != Limits{}.image_bytes) out += fmt::format(" --max-image-bytes {}", o.limits.image_bytes);
  return out;
}

std::string unpack_command(const char* file, const Options& o) {
  return fmt::format("assay neff unpack {} -o members{}", file, bounds(o));
}

// ---- answers ----

Json with(Json answer, const char* key, Json value) {
  answer[key] = std::move(value);
  return answer;
}

struct Answer {
  CaseFiles& files;

  Json model(const Model& m, const char* file, bool is_input) const {
    return with(lowered(lower_model(m), is_input ? &files : nullptr), "lower", lower_command(file, m.options));
  }
  Json image(ByteView bytes, const char* file) const {
    return with(decoded(bytes, file), "check", fmt::format("assay check {}", file));
  }
  Json neff(const Neff& n, ByteView bytes, const char* file) const {
    return with(unpacked(bytes, n.options), "unpack", unpack_command(file, n.options));
  }

  Json operator()(const ModelCase& c) const { return model(c.model, "input.neff", true); }
  Json operator()(const NearMissCase& c) const {
    return with(model(c.miss.broken, "input.neff", true), "twin", model(c.miss.twin, "twin.neff", false));
  }
  Json operator()(const TextCase& c) const {
    Members members = to_members(c.model);
    members.put(c.definition, Buffer(c.text));
    Json answer = with(lowered(lower_members(members, c.model.options), &files), "lower",
                       lower_command("input.neff", c.model.options));
    return with(std::move(answer), "twin", model(c.model, "twin.neff", false));
  }
  Json operator()(const ImageCase& c) const { return image(c.image.view(), "input.kbin"); }
  Json operator()(const CorruptionCase& c) const {
    return with(image(c.corruption.image.view(), "input.kbin"), "twin", image(c.valid.view(), "twin.kbin"));
  }
  Json operator()(const NeffCase& c) const {
    Json answer = neff(c.neff, c.neff.file.view(), "input.neff");
    if (c.neff.twin.empty()) return answer;
    return with(std::move(answer), "twin", neff(c.neff, c.neff.twin.view(), "twin.neff"));
  }
  Json operator()(const DtypeCase& c) const { return dtypes(c.request); }
};

}  // namespace

CaseFiles expected_files(const Case& c) {
  CaseFiles files;
  const Json answer = std::visit(Answer{files}, c);
  files["expected.json"] = print(answer);
  return files;
}

std::string expected_json(const Case& c) { return expected_files(c).at("expected.json"); }

}  // namespace assay::harness
