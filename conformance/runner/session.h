// SPDX-License-Identifier: Apache-2.0
// Questions put to one implementation through persistent children, each with an ending of its own: an answer, or why
// there is none (conformance.md, Plugging in). It starts the command again after every death and never judges an
// answer.
//
// Several requests are in flight at a time, answered strictly in order. When a child dies over them, those not yet
// answered are asked one at a time of a fresh child, so that the one that does it is found; where none does it again,
// the error is the first one's. A request that timed out is tried once more, alone. After three timeouts or ten other
// errors in a row on one op, the op's remaining questions are errors without being sent.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conformance/runner/child.h"

namespace assay::conformance {

struct Question {
  Op op = Op::lower;
  std::string_view request;  // as in Case::request; borrowed
};

// How a question ended.
struct Ending {
  Answer answer;  // when trouble is none; unsupported where the hello does not list the op
  Trouble trouble = Trouble::none;
  std::string why;           // one line: "timeout", "crash: SIGSEGV"; names no time, address or process
  std::uint64_t micros = 0;  // from when it was the next to be answered to the answer

  bool answered() const { return trouble == Trouble::none; }
};

// What a certificate tells beside the endings.
struct Notes {
  std::uint64_t starts = 0;          // of the command
  std::vector<Op> given_up;          // ops whose remaining questions were not sent, each once
  std::vector<std::string> remarks;  // one line each, each once
};

class Session {
 public:
  // One thread starts and asks: a child dies with the thread that started it.
  // Starts the command and says hello, once more where that fails: its answer, or why there is none. `stop`, where
  // given, ends any waiting soon after it is set. `suite` is the version told in the hello.
  static Read<Session> start(Command command, ChildLimits limits = {}, std::string suite = "1.0",
                             const std::atomic<bool>* stop = nullptr);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  const Hello& hello() const;
  // Calls tell(index, ending) once for every question, in their order; for the rest never once `stop` is set. What
  // tell throws ends the asking. Throws std::bad_alloc besides.
  void ask(std::span<const Question> questions, const std::function<void(std::size_t, Ending)>& tell);
  Ending ask(const Question& question);  // trouble not_sent where `stop` was set
  // Kills the child; the next question starts a fresh one.
  void fresh();
  const Notes& notes() const;

  struct State;  // internal to this room

 private:
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The same through `jobs` sessions at a time (1 to 64), question i by session i % jobs: whom a question is put to
// hangs on no clock. `tell` is called in no order, never by two threads at once; it must not throw.
struct Asked {
  Hello hello;
  Notes notes;  // of all sessions together
};
Read<Asked> ask_all(const Command& command, const ChildLimits& limits, const std::string& suite, unsigned jobs,
                    std::span<const Question> questions, const std::function<void(std::size_t, Ending)>& tell,
                    const std::atomic<bool>* stop = nullptr);

}  // namespace assay::conformance
