// SPDX-License-Identifier: Apache-2.0
#include "conformance/protocol/requests.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "conformance/protocol/json.h"
#include "oracle/manifest/keys.h"

namespace assay::conformance {
namespace {

using wire::Json;
using wire::wrong;

struct Table {
  const char* key;
  std::vector<std::int64_t> harness::DtypeRequest::*codes;
};
constexpr Table kTables[] = {{"to_sdma", &harness::DtypeRequest::to_sdma},
                             {"cce_op", &harness::DtypeRequest::cce_op},
                             {"size", &harness::DtypeRequest::size}};

// f(key, override) for each of the six.
template <class Overrides, class F>
void each_fp8(Overrides& o, F f) {
  const auto key = [](Fp8Key k) { return std::string(kFp8Keys[static_cast<std::size_t>(k)]); };
  f(key(Fp8Key::fp8_range_extension_), o.fp8_range_extension);
  f(key(Fp8Key::emax_fp8_e4m3_), o.emax_fp8_e4m3);
  f(key(Fp8Key::emax_fp8_e5m2_), o.emax_fp8_e5m2);
  f(key(Fp8Key::ocp_sat_), o.ocp_sat);
  f(key(Fp8Key::fp8_sis_), o.fp8_sis);
  f(key(Fp8Key::fp8_sns_), o.fp8_sns);
}

// Reads keys of one object; the first that is wrong is kept.
class Reader {
 public:
  explicit Reader(const Json& object) : object_(object) {
    if (!object.is_object()) error = "no JSON object";
  }

  const Json* find(const char* key, bool needed) {
    const Json* const v = wire::member(object_, key);
    if (v == nullptr && needed) fail(key, "is missing");
    return v;
  }
  std::string text(const char* key) {
    const Json* const v = find(key, true);
    if (v == nullptr) return {};
    if (!v->is_string()) return fail(key, "is no string"), std::string();
    return v->get<std::string>();
  }
  Buffer bytes(const char* key) {
    const Json* const v = find(key, true);
    return v == nullptr ? Buffer() : bytes_of(*v, key);
  }
  Buffer bytes_of(const Json& v, const char* key) {
    auto out = v.is_string() ? wire::from_base64(v.get_ref<const std::string&>()) : std::nullopt;
    if (!out) fail(key, "is no base64");
    return out ? std::move(*out) : Buffer();
  }
  bool boolean(const char* key) {
    const Json* const v = find(key, false);
    if (v == nullptr) return false;
    if (!v->is_boolean()) return fail(key, "is no boolean");
    return v->get<bool>();
  }
  std::uint32_t u32(const char* key, bool needed) {
    const Json* const v = find(key, needed);
    if (v == nullptr) return 0;
    const auto n = wire::u32_of(*v);
    if (!n) fail(key, "is no unsigned 32-bit integer");
    return n.value_or(0);
  }
  bool fail(std::string_view key, const char* what) {
    if (error.empty()) error = fmt::format("\"{}\" {}", key, what);
    return false;
  }

  std::string error;

 private:
  const Json& object_;
};

void read_matches(Reader& r, harness::DtypeRequest& q) {
  const Json* const match = r.find("match", false);
  if (match == nullptr) return;
  if (!match->is_array()) return void(r.fail("match", "is no array"));
  for (const Json& m : *match) {
    const Json *table = wire::member(m, "table"), *text = wire::member(m, "text");
    if (table == nullptr || text == nullptr || !(*table == "neff_io" || *table == "defjson"))
      return void(r.fail("match", "holds no {table, text}"));
    q.match.push_back({*table == "neff_io", std::string(r.bytes_of(*text, "text").text())});
  }
}

void read_fp8(Reader& r, Fp8Overrides& overrides) {
  const Json* const fp8 = r.find("fp8", false);
  if (fp8 == nullptr) return;
  if (!fp8->is_object()) return void(r.fail("fp8", "is no object"));
  std::size_t known = 0;
  each_fp8(overrides, [&](const std::string& key, auto& to) {
    const Json* const v = wire::member(*fp8, key.c_str());
    if (v == nullptr) return;
    ++known;
    using T = typename std::decay_t<decltype(to)>::value_type;
    if constexpr (std::is_same_v<T, bool>) {
      if (v->is_boolean()) to = v->get<bool>();
    } else {
      to = wire::u32_of(*v);
    }
    if (!to) r.fail(key, "has the wrong type");
  });
  if (known != fp8->size()) r.fail("fp8", "holds a key that is none of the six");
}

template <class T>
Read<T> of_text(std::string_view text, Read<T> (*read)(const Json&)) {
  const auto j = wire::parse(text);
  return j ? read(*j) : Read<T>(wrong(j.error()));
}

bool is_utf8(const std::string& s) {
  try {
    (void)Json(s).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

}  // namespace

std::string request_of(const harness::DtypeRequest& q) {
  Json match = Json::array();
  for (const auto& m : q.match)
    match.push_back({{"table", m.neff_io ? "neff_io" : "defjson"}, {"text", wire::to_base64(as_bytes(m.text))}});
  Json j = {{"match", std::move(match)}};
  for (const Table& t : kTables) {
    j[t.key] = Json::array();
    for (const std::int64_t v : q.*t.codes) j[t.key].push_back(wire::integer(v));
  }
  return wire::print(j);
}

Read<std::string> request_of(const harness::LowerRequest& q) {
  Json members = Json::object();
  for (const auto& [path, bytes] : *q.members) {
    if (!is_utf8(path)) return wrong(fmt::format("the member path {} is not UTF-8", wire::shortened(path)));
    members[path] = wire::to_base64(bytes.view());
  }
  if (!is_utf8(q.definition)) return wrong("the definition's path is not UTF-8");
  Json fp8 = Json::object();
  each_fp8(q.fp8, [&](const std::string& key, const auto& v) {
    if (v) fp8[key] = *v;
  });
  return wire::print({{"members", std::move(members)},
                      {"definition", q.definition},
                      {"target", q.target},
                      {"allow_legacy", q.allow_legacy},
                      {"subgraph", q.subgraph},
                      {"fp8", std::move(fp8)}});
}

std::string request_of(const harness::LowerNeffRequest& q) {
  return wire::print({{"neff", wire::to_base64(q.neff)},
                      {"arch", q.arch ? Json(*q.arch) : Json()},
                      {"allow_legacy", q.allow_legacy},
                      {"verify_digest", q.verify_digest}});
}

std::string request_of_decode(ByteView image) { return body_of_image(image); }

Read<harness::DtypeRequest> wire::dtype_request(const Json& object) {
  Reader r(object);
  harness::DtypeRequest q;
  read_matches(r, q);
  for (const Table& t : kTables) {
    const Json* const codes = r.find(t.key, false);
    if (codes == nullptr) continue;
    if (!codes->is_array()) r.fail(t.key, "is no array");
    for (const Json& v : *codes) {
      const auto n = wire::signed_of(v);
      if (n) (q.*t.codes).push_back(*n);
      else r.fail(t.key, "holds what is no integer");
    }
  }
  if (!r.error.empty()) return wrong(r.error);
  return q;
}

Read<OwnedLower> wire::lower_request(const Json& object) {
  Reader r(object);
  OwnedLower q;
  q.members = std::make_unique<Members>();
  q.request.members = q.members.get();
  if (const Json* const members = r.find("members", true)) {
    if (!members->is_object()) r.fail("members", "is no object");
    else
      for (const auto& [path, bytes] : members->items()) q.members->put(path, r.bytes_of(bytes, "members"));
  }
  q.request.definition = r.text("definition");
  q.request.target = r.u32("target", true);
  q.request.allow_legacy = r.boolean("allow_legacy");
  q.request.subgraph = r.u32("subgraph", false);
  read_fp8(r, q.request.fp8);
  if (!r.error.empty()) return wrong(r.error);
  return q;
}

Read<OwnedLowerNeff> wire::lower_neff_request(const Json& object) {
  Reader r(object);
  OwnedLowerNeff q;
  q.neff = r.bytes("neff");
  q.request.neff = q.neff.view();
  if (const Json* const arch = r.find("arch", false); arch != nullptr && !arch->is_null())
    q.request.arch = r.u32("arch", true);
  q.request.allow_legacy = r.boolean("allow_legacy");
  q.request.verify_digest = r.boolean("verify_digest");
  if (!r.error.empty()) return wrong(r.error);
  return q;
}

Read<Buffer> wire::decode_request(const Json& object) {
  Reader r(object);
  Buffer image = r.bytes("image");
  if (!r.error.empty()) return wrong(r.error);
  return image;
}

Read<harness::DtypeRequest> dtype_request(std::string_view o) {
  return of_text<harness::DtypeRequest>(o, wire::dtype_request);
}
Read<OwnedLower> lower_request(std::string_view o) { return of_text<OwnedLower>(o, wire::lower_request); }
Read<OwnedLowerNeff> lower_neff_request(std::string_view o) {
  return of_text<OwnedLowerNeff>(o, wire::lower_neff_request);
}
Read<Buffer> decode_request(std::string_view o) { return of_text<Buffer>(o, wire::decode_request); }

}  // namespace assay::conformance
