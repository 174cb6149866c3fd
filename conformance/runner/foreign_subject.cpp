// SPDX-License-Identifier: Apache-2.0
#include "conformance/runner/foreign_subject.h"

#include "conformance/protocol/requests.h"

namespace assay::conformance {
namespace {

using harness::Reply;
using harness::ReplyStatus;

// `value_of` reads the value from a body that was checked when its line was read.
template <class T, class F>
Reply<T> replied(Session& session, Op op, const Read<std::string>& request, F value_of) {
  Reply<T> reply;
  if (!request) {
    reply.status = ReplyStatus::unsupported;
    reply.reason = request.error();
    return reply;
  }
  Ending ending = session.ask({op, *request});
  if (!ending.answered() || !ending.answer.problem.empty()) {
    reply.reason = ending.answered() ? ending.answer.problem : ending.why;
    return reply;
  }
  reply.status = ending.answer.status;
  reply.code = ending.answer.code;
  reply.reason = std::move(ending.answer.reason);
  reply.at = std::move(ending.answer.at);
  if (!reply.ok()) return reply;
  Read<T> value = value_of(ending.answer.body);
  if (value) {
    reply.value = std::move(*value);
  } else {
    reply.status = ReplyStatus::error;
    reply.reason = value.error();
  }
  return reply;
}

}  // namespace

Reply<harness::DtypeAnswer> ForeignSubject::dtype(const harness::DtypeRequest& q) const {
  return replied<harness::DtypeAnswer>(session_, Op::dtype, request_of(q), dtype_of);
}

Reply<Buffer> ForeignSubject::lower(const harness::LowerRequest& q) const {
  return replied<Buffer>(session_, Op::lower, request_of(q), image_of);
}

Reply<harness::LowerNeffAnswer> ForeignSubject::lower_neff(const harness::LowerNeffRequest& q) const {
  return replied<harness::LowerNeffAnswer>(session_, Op::lower_neff, request_of(q), lower_neff_of);
}

Reply<std::string> ForeignSubject::decode(ByteView image) const {
  return replied<std::string>(session_, Op::decode, request_of_decode(image), [](std::string_view body) {
    return fields_of(body).map([](std::optional<std::string>&& fields) { return fields.value_or("{}"); });
  });
}

}  // namespace assay::conformance
