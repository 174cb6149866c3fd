// SPDX-License-Identifier: Apache-2.0
#include "conformance/protocol/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/protocol/json.h"
#include "conformance/protocol/requests.h"
#include "harness/compare/compare.h"

namespace assay::conformance {
namespace {

using harness::Reply;
using harness::ReplyStatus;
using wire::Json;

constexpr std::size_t kMostUnknown = 8;  // names of ops that are none

tl::unexpected<BadLine> bad(std::string what) { return tl::unexpected<BadLine>({false, std::move(what)}); }

constexpr ReplyStatus kStatuses[] = {ReplyStatus::ok, ReplyStatus::refused, ReplyStatus::trapped,
                                     ReplyStatus::unsupported};

std::string status_text(ReplyStatus s) { return harness::reply_text(s, ""); }

// A JSON object with that id, and the protocol and op, where it names them, that were asked for.
ReadLine<Json> object_with(std::uint64_t id, std::string_view op, std::string_view line) {
  auto j = wire::parse(line);
  if (!j || !j->is_object()) {
    return tl::unexpected<BadLine>(
        {true, fmt::format("\"{}\" is no answer ({})", wire::shortened(line), j ? "no object" : j.error())});
  }
  const Json* const given = wire::member(*j, "id");
  if (given == nullptr) return bad("an answer without an id");
  const auto number = wire::unsigned_of(*given);
  if (!number) return bad("an id that is no number");
  if (*number < id)
    return bad(fmt::format("an answer to request {} again, where request {} was to be answered", *number, id));
  if (*number != id) return bad(fmt::format("an answer with id {} where request {} was to be answered", *number, id));
  if (const Json* const echo = wire::member(*j, "op"); echo != nullptr && *echo != op)
    return bad(fmt::format("an answer to the op {} where {} was asked", wire::shortened(wire::print(*echo)), op));
  if (const Json* const protocol = wire::member(*j, "protocol"); protocol != nullptr && *protocol != kProtocol)
    return bad(fmt::format("protocol {} where {} is spoken", wire::shortened(wire::print(*protocol)), kProtocol));
  return j.map_error([](const std::string& e) { return BadLine{true, e}; });
}

// An optional key: absent or null, or a string.
bool read_text(const Json& j, const char* key, std::string& to) {
  const Json* const v = wire::member(j, key);
  if (v == nullptr || v->is_null()) return true;
  if (!v->is_string()) return false;
  to = v->get<std::string>();
  return true;
}

template <class T, class Body>
std::string answer_line(std::string_view id, const Reply<T>& reply, Body body_of_value) {
  std::string head = fmt::format("{{\"id\":{},\"status\":", id);
  if (reply.ok()) {
    const Read<std::string> body = body_of_value(reply.value);
    if (body) return head.append("\"ok\",").append(*body, 1);
    return head + "\"ok\",\"problem\":" + wire::print(Json(body.error())) + "}";
  }
  if (reply.status == ReplyStatus::error)
    return head + "\"ok\",\"problem\":" + wire::print(Json(reply.reason.empty() ? "no answer" : reply.reason)) + "}";
  Json j = Json::object();
  const bool unspecified = reply.status == ReplyStatus::unspecified;
  const std::string status = status_text(unspecified ? ReplyStatus::refused : reply.status);
  if (unspecified) j["reason"] = "unspecified";
  else if (!reply.reason.empty()) j["reason"] = reply.reason;
  if (!reply.at.empty()) j["at"] = reply.at;
  if (reply.code && !unspecified) j["code"] = *reply.code;
  std::string rest = wire::print(j);
  return head + "\"" + status + "\"" + (j.empty() ? "}" : "," + rest.substr(1));
}

std::string unsupported(std::string_view id, std::string_view reason, std::string_view at) {
  std::string out = fmt::format("{{\"id\":{},\"status\":\"unsupported\"", id);
  if (!reason.empty()) out += ",\"reason\":" + wire::print(Json(reason));
  if (!at.empty()) out += ",\"at\":" + wire::print(Json(at));
  return out + "}";
}

std::string hello_answer(std::string_view id, const Identity& identity) {
  Json ops = Json::array();
  for (const Op op : identity.ops) ops.push_back(name_of(op));
  return fmt::format("{{\"id\":{},\"protocol\":{},\"name\":{},\"version\":{},\"ops\":{}}}", id, kProtocol,
                     wire::print(Json(identity.name)), wire::print(Json(identity.version)), wire::print(ops));
}

// Asks the subject: `request` was read from the line, or is why it could not be.
template <class Q, class Ask, class Body>
std::string served(std::string_view id, const Read<Q>& request, Ask ask, Body body) {
  if (!request) return unsupported(id, "bad-request", request.error());
  return answer_line(id, ask(*request), body);
}

std::string respond_to_op(const harness::Subject& s, std::string_view id, Op op, const Json& line) {
  const auto same = [](const auto& v) { return Read<std::string>(body_of(v)); };
  switch (op) {
    case Op::dtype:
      return served(
          id, wire::dtype_request(line), [&](const auto& q) { return s.dtype(q); }, same);
    case Op::lower:
      return served(
          id, wire::lower_request(line), [&](const auto& q) { return s.lower(q.request); },
          [](const Buffer& image) { return Read<std::string>(body_of_image(image.view())); });
    case Op::lower_neff:
      return served(
          id, wire::lower_neff_request(line), [&](const auto& q) { return s.lower_neff(q.request); }, same);
    case Op::decode:
      return served(
          id, wire::decode_request(line), [&](const Buffer& q) { return s.decode(q.view()); },
          [](const std::string& fields) { return body_of_fields(fields); });
    default: return unsupported(id, "", "");
  }
}

}  // namespace

std::string hello_line(std::uint64_t id, std::string_view suite) {
  return fmt::format("{{\"id\":{},\"op\":\"hello\",\"protocol\":{},\"suite\":{}}}", id, kProtocol,
                     wire::print(Json(suite)));
}

Read<std::string> request_line(std::uint64_t id, Op op, std::string_view request) {
  const auto inside = [&]() -> std::string_view {
    const auto begin = request.find_first_not_of(" \t"), end = request.find_last_not_of(" \t");
    if (begin == std::string_view::npos || end <= begin || request[begin] != '{' || request[end] != '}') return {};
    return request.substr(begin, end - begin + 1);
  }();
  if (inside.empty() || inside.find_first_of("\r\n") != std::string_view::npos)
    return wire::wrong("the request is no JSON object on one line");
  const bool empty = inside.find_first_not_of(" \t", 1) == inside.size() - 1;
  std::string line = fmt::format("{{\"id\":{},\"op\":\"{}\"{}", id, name_of(op), empty ? "" : ",");
  if (line.size() + inside.size() > kMaxLine) return wire::wrong("the request passes 256 MiB");
  line += inside.substr(1);
  return line;
}

bool Hello::has(Op op) const { return std::find(ops.begin(), ops.end(), op) != ops.end(); }

std::string difference(const Hello& a, const Hello& b) {
  if (a.name != b.name || a.version != b.version)
    return fmt::format("hello: one time it is {} {}, another time {} {}", a.name, a.version, b.name, b.version);
  return a.ops == b.ops ? "" : "hello: other ops than the first time";
}

ReadLine<Hello> read_hello(std::uint64_t id, std::string_view line) {
  const auto j = object_with(id, "hello", line);
  if (!j) return tl::unexpected<BadLine>(j.error());
  if (wire::member(*j, "protocol") == nullptr) return bad("a hello without \"protocol\"");
  Hello hello;
  const Json *name = wire::member(*j, "name"), *version = wire::member(*j, "version"), *ops = wire::member(*j, "ops");
  if (name == nullptr || !name->is_string()) return bad("a hello without a \"name\"");
  if (version == nullptr || !version->is_string()) return bad("a hello without a \"version\"");
  if (ops == nullptr || !ops->is_array()) return bad("a hello without an array \"ops\"");
  hello.name = name->get<std::string>();
  hello.version = version->get<std::string>();
  for (const Json& op : *ops) {
    if (!op.is_string()) return bad("a hello whose \"ops\" are not names");
    const auto& text = op.get_ref<const std::string&>();
    const auto known = op_named(text);
    if (known && !hello.has(*known)) hello.ops.push_back(*known);
    if (!known && hello.unknown.size() < kMostUnknown) hello.unknown.push_back(wire::shortened(text));
  }
  return hello;
}

ReadLine<Answer> read_answer(std::uint64_t id, Op op, std::string_view request, std::string_view line) {
  auto j = object_with(id, name_of(op), line);
  if (!j) return tl::unexpected<BadLine>(j.error());
  const Json* const status = wire::member(*j, "status");
  if (status == nullptr || !status->is_string()) return bad("an answer without a \"status\"");
  Answer answer;
  for (const ReplyStatus s : kStatuses)
    if (*status == status_text(s)) answer.status = s;
  if (answer.status == ReplyStatus::error)
    return bad(fmt::format("the status {}", wire::shortened(wire::print(*status))));
  if (!read_text(*j, "reason", answer.reason) || !read_text(*j, "at", answer.at) ||
      !read_text(*j, "problem", answer.problem))
    return bad("a \"reason\", \"at\" or \"problem\" that is no string");
  if (const Json* const code = wire::member(*j, "code"); code != nullptr && !code->is_null()) {
    answer.code = wire::u32_of(*code);
    if (!answer.code) return bad("a \"code\" that is no unsigned 32-bit integer");
  }
  if (answer.status != ReplyStatus::ok) {
    if (wire::holds_a_value(*j)) return bad("a value beside the status " + status_text(answer.status));
    answer.problem.clear();
    return answer;
  }
  answer.code.reset();
  if (!answer.problem.empty()) return answer;
  Read<Json> asked = Json();
  if (op == Op::dtype) asked = wire::parse(request);
  if (!asked) return bad("the request itself: " + asked.error());
  const auto body = wire::body_json(op, op == Op::dtype ? &*asked : nullptr, *j);
  if (!body) return bad(body.error());
  answer.body = wire::print(*body);
  return answer;
}

std::vector<Op> all_subject_ops() { return {Op::dtype, Op::lower, Op::lower_neff, Op::decode}; }

std::string respond(const harness::Subject& subject, const Identity& identity, std::string_view line) noexcept {
  std::string id = "null";
  try {
    const auto j = wire::parse(line);
    if (!j) return unsupported(id, "bad-request", j.error());
    const Json* const number = wire::member(*j, "id");
    if (number != nullptr && (number->is_number() || number->is_string())) id = wire::print(*number);
    const Json* const op = wire::member(*j, "op");
    if (op == nullptr || !op->is_string()) return unsupported(id, "bad-request", "no \"op\"");
    if (*op == "hello") return hello_answer(id, identity);
    const auto known = op_named(op->get_ref<const std::string&>());
    if (!known || std::find(identity.ops.begin(), identity.ops.end(), *known) == identity.ops.end())
      return unsupported(id, "", "");
    return respond_to_op(subject, id, *known, *j);
  } catch (...) {
    // Whatever it was, it is this request's alone.
  }
  try {
    return unsupported(id, "internal", "");
  } catch (...) {
    return {};  // not even memory for that
  }
}

}  // namespace assay::conformance
