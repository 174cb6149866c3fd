// SPDX-License-Identifier: Apache-2.0
#include "conformance/suite/told.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <nlohmann/json.hpp>

#include "conformance/protocol/requests.h"
#include "harness/compare/compare.h"
#include "oracle/image/dump.h"
#include "oracle/image/image.h"

namespace assay::conformance {
namespace {

using harness::Json;
using harness::Reply;

constexpr std::size_t kLongText = 96;  // of a base64 value in "fields"

template <class T>
Told begin(const Reply<T>& reply) {
  Told t;
  t.answer.status = reply.status;
  t.answer.code = reply.code;
  t.answer.reason = reply.reason;
  t.answer.at = reply.at;
  t.refusal = reply.refusal;
  return t;
}

Json readable(const Json& fields) {
  Json out = Json::object();
  for (const auto& [path, v] : fields.items()) {
    if (v.is_null() || v == 0 || v == false || v == "") continue;
    const bool is_long = v.is_string() && v.get_ref<const std::string&>().size() > kLongText;
    out[path] = is_long ? Json("sha256 " + sha256_hex(v.get_ref<const std::string&>())) : v;
  }
  return out;
}

Json shown(const Buffer& image) {
  const auto view = decode(image.view());
  Json out = {{"image_sha256", sha256_hex(image.text())}};
  out["fields"] = view ? readable(Json::parse(fields_json(*view), nullptr, false)) : Json::object();
  return out;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest);
  std::string out;
  for (const unsigned char b : digest) out += fmt::format("{:02x}", b);
  return out;
}

Read<Told> told_by(const harness::Subject& subject, Op op, std::string_view request) {
  switch (op) {
    case Op::dtype: {
      const auto q = dtype_request(request);
      if (!q) return tl::unexpected(q.error());
      const auto reply = subject.dtype(*q);
      Told t = begin(reply);
      if (reply.ok()) t.answer.body = body_of(reply.value);
      return t;
    }
    case Op::lower: {
      const auto q = lower_request(request);
      if (!q) return tl::unexpected(q.error());
      auto reply = subject.lower(q->request);
      Told t = begin(reply);
      if (reply.ok()) {
        t.answer.body = body_of_image(reply.value.view());
        t.images.push_back(std::move(reply.value));
      }
      return t;
    }
    case Op::lower_neff: {
      const auto q = lower_neff_request(request);
      if (!q) return tl::unexpected(q.error());
      auto reply = subject.lower_neff(q->request);
      Told t = begin(reply);
      if (reply.ok()) {
        t.answer.body = body_of(reply.value);
        t.images = std::move(reply.value.images);
        t.io = std::move(reply.value.io);
      }
      return t;
    }
    case Op::decode: {
      const auto q = decode_request(request);
      if (!q) return tl::unexpected(q.error());
      auto reply = subject.decode(q->view());
      Told t = begin(reply);
      if (!reply.ok()) return t;
      auto body = body_of_fields(reply.value);
      if (!body) return tl::unexpected(body.error());
      t.answer.body = std::move(*body);
      t.fields = std::move(reply.value);
      return t;
    }
    default: return tl::unexpected(fmt::format("no subject has the op {}", name_of(op)));
  }
}

Read<std::vector<Leaning>> leanings_of(Op op, std::string_view request, const Told& told) {
  std::vector<Leaning> out;
  if (!told.answer.ok()) return out;
  if (op == Op::lower) {
    const auto q = lower_request(request);
    if (!q) return tl::unexpected(q.error());
    return leanings_of(q->request, told.images.front().view());
  }
  if (op == Op::decode) {
    const auto image = decode_request(request);
    if (!image) return tl::unexpected(image.error());
    return leanings_of_image(image->view());
  }
  if (op != Op::lower_neff) return out;
  const auto q = lower_neff_request(request);
  if (!q) return tl::unexpected(q.error());
  Options options;
  options.allow_legacy = q->request.allow_legacy;
  if (q->request.arch) options.arch = static_cast<ArchType>(*q->request.arch);
  const auto members = read_neff(q->request.neff, options);
  if (!members) return tl::unexpected(members.error().text());
  const auto manifest = read_manifest(*members, options);
  if (!manifest) return tl::unexpected(manifest.error().text());
  if (members->find(kNeffJson) == nullptr) out.push_back({"", "CON-018"});
  // Where a difference is allowed, which of the two counts is CON-026's.
  const bool differs = q->request.arch && *q->request.arch != static_cast<std::uint32_t>(code(manifest->target));
  for (std::size_t i = 0; i < manifest->graphs.size() && i < told.images.size(); ++i) {
    harness::LowerRequest one;
    one.members = &*members;
    one.definition = manifest->graphs[i].definition;
    one.target = static_cast<std::uint32_t>(code(manifest->target));
    one.allow_legacy = options.allow_legacy;
    one.subgraph = static_cast<std::uint32_t>(i);
    for (Leaning& l : leanings_of(one, told.images[i].view()))
      out.push_back({l.path.empty() ? l.path : fmt::format("images[{}].{}", i, l.path), l.requirement});
    if (differs) out.push_back({fmt::format("images[{}].target", i), "CON-026"});
  }
  for (Leaning& l : leanings_of(told.io)) out.push_back(std::move(l));
  return out;
}

std::string expect_text(Op op, const Told& told) {
  Json out = {{"status", harness::reply_text(told.answer.status, "")}};
  if (told.answer.code) out["code"] = *told.answer.code;
  if (told.answer.status != harness::ReplyStatus::ok) return out.dump();
  out.erase("code");
  if (op == Op::lower) {
    out.update(shown(told.images.front()));
  } else if (op == Op::lower_neff) {
    const Json body = Json::parse(told.answer.body, nullptr, false);
    out["inputs"] = body["inputs"];
    out["outputs"] = body["outputs"];
    out["graphs"] = Json::array();
    for (const Buffer& image : told.images) out["graphs"].push_back(shown(image));
  } else if (op == Op::decode) {
    out["fields"] = readable(Json::parse(told.fields, nullptr, false));
    out["fields_sha256"] = sha256_hex(told.answer.body);
  } else {
    out["answer"] = Json::parse(told.answer.body, nullptr, false);
  }
  return out.dump();
}

}  // namespace assay::conformance
