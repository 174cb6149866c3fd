// SPDX-License-Identifier: Apache-2.0
// The process protocol's lines (conformance.md, Plugging in): what a client writes and how strictly it reads, and a
// server's answers. A line here has no newline. It moves no bytes (serve.h, runner/child.h) and knows no case: a
// request line is made of op and request alone, so that no expectation can leak.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/protocol/answers.h"

namespace assay::conformance {

inline constexpr std::uint32_t kProtocol = 1;
inline constexpr std::size_t kMaxLine = std::size_t{256} << 20;  // bytes, without the newline

// --- a client's side ---
std::string hello_line(std::uint64_t id, std::string_view suite);
// `request` is the text of a JSON object without "id" and "op"; an error where it is none, or the line would pass
// kMaxLine.
Read<std::string> request_line(std::uint64_t id, Op op, std::string_view request);

struct Hello {
  std::string name, version;
  std::vector<Op> ops;               // those listed that conformance.md knows
  std::vector<std::string> unknown;  // the first of the others, printable and short
  bool has(Op op) const;
};
// In one line what two greetings say differently; "" where they are the same.
std::string difference(const Hello& a, const Hello& b);
struct BadLine {
  bool noise = false;  // not even a JSON object: rather output by accident than an answer
  std::string what;    // one line
};
template <class T>
using ReadLine = tl::expected<T, BadLine>;

ReadLine<Hello> read_hello(std::uint64_t id, std::string_view line);
// The answer to that request. Anything but an answer to it is an error: another id (told apart: one that was answered
// before), another op or protocol version where the line names them, an unknown status, keys missing or of another
// type, dtype arrays of another length, values beside a refusal.
ReadLine<Answer> read_answer(std::uint64_t id, Op op, std::string_view request, std::string_view line);

// --- a server's side ---
struct Identity {
  std::string name, version;
  std::vector<Op> ops;  // of dtype, lower, lower_neff and decode: others are answered unsupported
};
// The oracle's ops.
std::vector<Op> all_subject_ops();

// What a subject answers to one line, whatever the line is. A reply of the subject that is `unspecified` is refused
// with the reason "unspecified"; one that is `error` is ok with the reason as its "problem". Throws nothing: out of
// memory and the like are "unsupported" with a reason, which passes no case.
std::string respond(const harness::Subject& subject, const Identity& identity, std::string_view line) noexcept;

}  // namespace assay::conformance
