// SPDX-License-Identifier: Apache-2.0
#include "conformance/protocol/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "conformance/protocol/json.h"
#include "harness/compare/compare.h"

namespace assay::conformance {
namespace {

using wire::Json;
using wire::wrong;

constexpr const char* kRefused = "refused";
constexpr const char* kTables[] = {"match", "to_sdma", "cce_op", "size"};
using Codes = std::vector<std::optional<std::int64_t>>;
constexpr Codes harness::DtypeAnswer::*kCodes[] = {&harness::DtypeAnswer::match, &harness::DtypeAnswer::to_sdma,
                                                   &harness::DtypeAnswer::cce_op, &harness::DtypeAnswer::size};

// The shapes that a value of an answer can have.
enum class Shape { base64, base64s, u64, tensors, scalars };

// One key of an op's answer. Keys of one `form` come together; an answer has exactly one form.
struct Key {
  Op op;
  const char* name;
  Shape shape;
  bool optional;
  int form;
};
constexpr Key kKeys[] = {
    {Op::lower, "image", Shape::base64, false, 0},         {Op::lower, "fields", Shape::scalars, true, 0},
    {Op::lower_neff, "images", Shape::base64s, false, 0},  {Op::lower_neff, "inputs", Shape::tensors, false, 0},
    {Op::lower_neff, "outputs", Shape::tensors, false, 0}, {Op::decode, "fields", Shape::scalars, false, 0},
    {Op::neff_ip, "index", Shape::u64, false, 0},          {Op::resolve, "address", Shape::u64, false, 0},
    {Op::udma, "descriptors", Shape::base64s, false, 0},   {Op::udma, "word", Shape::u64, false, 1},
    {Op::udma, "first_word", Shape::u64, false, 1},
};

bool is_base64(const Json& v) { return v.is_string() && wire::is_base64(v.get_ref<const std::string&>()); }

bool is_tensor(const Json& v) {
  const Json *name = wire::member(v, "name"), *dtype = wire::member(v, "dtype"), *shape = wire::member(v, "shape"),
             *size = wire::member(v, "size");
  if (name == nullptr || dtype == nullptr || shape == nullptr || size == nullptr || v.size() != 4) return false;
  if (!is_base64(*name) || !wire::u32_of(*dtype) || !wire::unsigned_of(*size) || !shape->is_array()) return false;
  for (const Json& d : *shape)
    if (!wire::unsigned_of(d)) return false;
  return true;
}

bool has_shape(const Json& v, Shape shape) {
  const auto all = [&v](auto predicate) {
    if (!v.is_array()) return false;
    for (const Json& e : v)
      if (!predicate(e)) return false;
    return true;
  };
  switch (shape) {
    case Shape::base64: return is_base64(v);
    case Shape::base64s: return all(is_base64);
    case Shape::u64: return wire::unsigned_of(v).has_value();
    case Shape::tensors: return all(is_tensor);
    case Shape::scalars:
      if (!v.is_object()) return false;
      for (const Json& e : v)
        if (e.is_structured() || (e.is_number() && !wire::signed_of(e))) return false;
      return true;
  }
  return false;
}

const char* shape_text(Shape shape) {
  switch (shape) {
    case Shape::base64: return "base64";
    case Shape::base64s: return "an array of base64";
    case Shape::u64: return "an unsigned integer (beyond 2^53 a decimal string)";
    case Shape::tensors: return "an array of {name, dtype, shape, size}";
    case Shape::scalars: return "an object of paths and scalar values";
  }
  return "?";
}

Read<Json> dtype_body(const Json& answer, const Json* request) {
  Json out = Json::object();
  for (const char* table : kTables) {
    const Json* const asked = request == nullptr ? nullptr : wire::member(*request, table);
    const std::size_t n = asked != nullptr && asked->is_array() ? asked->size() : 0;
    const Json* const given = wire::member(answer, table);
    if (given == nullptr && n == 0) {
      out[table] = Json::array();
      continue;
    }
    if (given == nullptr) return wrong(fmt::format("no \"{}\" in the answer", table));
    if (!given->is_array()) return wrong(fmt::format("\"{}\" is no array", table));
    if (request != nullptr && given->size() != n)
      return wrong(fmt::format("\"{}\" has {} values where {} were asked for", table, given->size(), n));
    for (const Json& v : *given)
      if (!wire::signed_of(v) && !(v.is_string() && v == kRefused))
        return wrong(fmt::format("\"{}\" holds what is neither an integer nor \"refused\"", table));
    out[table] = *given;
  }
  return out;
}

Read<Json> keyed_body(Op op, const Json& answer) {
  Json out = Json::object();
  int form = -1;
  for (const Key& k : kKeys)
    if (k.op == op && form < 0 && (wire::member(answer, k.name) != nullptr)) form = k.form;
  for (const Key& k : kKeys) {
    if (k.op != op) continue;
    const Json* const v = wire::member(answer, k.name);
    if (v == nullptr && (k.optional || (form >= 0 && k.form != form))) continue;
    if (v == nullptr) return wrong(fmt::format("no \"{}\" in the answer", k.name));
    if (k.form != form) return wrong(fmt::format("\"{}\" beside a key of the other form", k.name));
    if (!has_shape(*v, k.shape)) return wrong(fmt::format("\"{}\" is not {}", k.name, shape_text(k.shape)));
    out[k.name] = *v;
  }
  return out;
}

Read<Json> object_of(std::string_view text) {
  auto j = wire::parse(text);
  if (j && !j->is_object()) return wrong("no JSON object");
  return j;
}

Json codes_json(const Codes& codes) {
  Json out = Json::array();
  for (const auto& c : codes) out.push_back(c ? wire::integer(*c) : Json(kRefused));
  return out;
}

Json tensors_json(const std::vector<Tensor>& tensors) {
  Json out = Json::array();
  for (const Tensor& t : tensors) {
    Json shape = Json::array();
    for (const std::uint64_t d : t.shape) shape.push_back(wire::integer(d));
    out.push_back({{"name", wire::to_base64(as_bytes(t.name))},
                   {"dtype", static_cast<std::uint32_t>(code(t.dtype))},
                   {"shape", std::move(shape)},
                   {"size", wire::integer(t.size)}});
  }
  return out;
}

std::vector<Tensor> tensors_of(const Json& tensors) {
  std::vector<Tensor> out;
  for (const Json& t : tensors) {
    Tensor& tensor = out.emplace_back();
    tensor.name = std::string(wire::from_base64(t.at("name").get_ref<const std::string&>())->text());
    tensor.dtype = static_cast<NrtDtype>(*wire::u32_of(t.at("dtype")));
    tensor.size = *wire::unsigned_of(t.at("size"));
    for (const Json& d : t.at("shape")) tensor.shape.push_back(*wire::unsigned_of(d));
  }
  return out;
}

// The body as checked JSON: whoever made the text, nothing below can meet another shape.
Read<Json> checked(Op op, std::string_view body) {
  auto j = object_of(body);
  return j ? wire::body_json(op, nullptr, *j) : j;
}

}  // namespace

Read<Json> wire::body_json(Op op, const Json* request, const Json& answer) {
  return op == Op::dtype ? dtype_body(answer, request) : keyed_body(op, answer);
}

bool wire::holds_a_value(const Json& answer) {
  const auto has = [&answer](const char* key) { return member(answer, key) != nullptr; };
  return std::any_of(std::begin(kTables), std::end(kTables), has) ||
         std::any_of(std::begin(kKeys), std::end(kKeys), [&](const Key& k) { return has(k.name); });
}

std::string body_of(const harness::DtypeAnswer& answer) {
  Json j = Json::object();
  for (std::size_t i = 0; i < std::size(kTables); ++i) j[kTables[i]] = codes_json(answer.*kCodes[i]);
  return wire::print(j);
}

std::string body_of_image(ByteView image) { return "{\"image\":\"" + wire::to_base64(image) + "\"}"; }

std::string body_of(const harness::LowerNeffAnswer& answer) {
  Json images = Json::array();
  for (const Buffer& image : answer.images) images.push_back(wire::to_base64(image.view()));
  return wire::print({{"images", std::move(images)},
                      {"inputs", tensors_json(answer.io.inputs)},
                      {"outputs", tensors_json(answer.io.outputs)}});
}

Read<std::string> body_of_fields(const std::string& fields) {
  return canonical_body(Op::decode, "{}", "{\"fields\":" + fields + "}");
}

Read<harness::DtypeAnswer> dtype_of(std::string_view body) {
  const auto j = checked(Op::dtype, body);
  if (!j) return wrong(j.error());
  harness::DtypeAnswer answer;
  for (std::size_t i = 0; i < std::size(kTables); ++i)
    for (const Json& v : j->at(kTables[i])) (answer.*kCodes[i]).push_back(wire::signed_of(v));
  return answer;
}

Read<Buffer> image_of(std::string_view body) {
  const auto j = checked(Op::lower, body);
  if (!j) return wrong(j.error());
  auto image = wire::from_base64(j->at("image").get_ref<const std::string&>());
  if (!image) return wrong("\"image\" is not base64");
  return std::move(*image);
}

Read<harness::LowerNeffAnswer> lower_neff_of(std::string_view body) {
  const auto j = checked(Op::lower_neff, body);
  if (!j) return wrong(j.error());
  harness::LowerNeffAnswer answer;
  for (const Json& image : j->at("images")) {
    auto bytes = wire::from_base64(image.get_ref<const std::string&>());
    if (!bytes) return wrong("\"images\" is not an array of base64");
    answer.images.push_back(std::move(*bytes));
  }
  answer.io = {tensors_of(j->at("inputs")), tensors_of(j->at("outputs"))};
  return answer;
}

Read<std::optional<std::string>> fields_of(std::string_view body) {
  const auto j = object_of(body);
  if (!j) return wrong(j.error());
  const Json* const fields = wire::member(*j, "fields");
  if (fields == nullptr) return std::optional<std::string>();
  if (!has_shape(*fields, Shape::scalars)) return wrong("\"fields\" is not an object of paths and scalar values");
  return std::optional(wire::print(*fields));
}

Read<std::string> canonical_body(Op op, std::string_view request, std::string_view object) {
  const auto answer = object_of(object);
  if (!answer) return wrong(answer.error());
  if (op != Op::dtype) return wire::body_json(op, nullptr, *answer).map(wire::print);
  const auto asked = object_of(request);
  if (!asked) return wrong("the request: " + asked.error());
  return wire::body_json(op, &*asked, *answer).map(wire::print);
}

std::string canonical(const Answer& answer) {
  std::string out = "{";
  if (!answer.body.empty()) out += "\"answer\":" + answer.body + ",";
  if (answer.code) out += fmt::format("\"code\":{},", *answer.code);
  if (!answer.problem.empty()) out += "\"problem\":" + wire::print(Json(answer.problem)) + ",";
  return out + "\"status\":\"" + harness::reply_text(answer.status, "") + "\"}";
}

}  // namespace assay::conformance
