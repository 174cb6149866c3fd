// SPDX-License-Identifier: Apache-2.0
// An implementation's process: started under limits in a process group of its own, its standard input and output
// moved without ever blocking on either, killed with all of its group (what leaves the group, by setsid(), stays
// behind and is not counted). It knows lines and deaths, and nothing of what a line says: that is session.h's.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/protocol/answers.h"
#include "conformance/protocol/messages.h"

namespace assay::conformance {

// What is started. A command, or else a function that runs in a copy of this process.
struct Command {
  std::vector<std::string> argv;  // the first is a path, or a name to be looked for in PATH
  std::vector<std::pair<std::string, std::string>> environment;  // set besides this process's own
  // Instead of argv: serves requests from `in` on `out` (both blocking) and returns the exit code. It runs in a
  // forked copy, with standard output at its standard error; it must not rely on other threads, and exit() in it
  // would run this process's exit handlers.
  std::function<int(int in, int out)> function;
  std::string log;  // file its standard error is appended to; "": nowhere

  // A line for /bin/sh.
  static Command shell(const std::string& line);
};

struct ChildLimits {
  std::chrono::milliseconds timeout{10'000};  // for one answer
  std::chrono::milliseconds start{30'000};    // for the first, the hello's, where that is more: an interpreter starts
  std::uint64_t resident_bytes = std::uint64_t{4}
                                 << 30;  // of the whole group, looked at five times a second; 0: none
  // Of each process, enforced by the kernel; 0: none. Many runtimes reserve far more addresses than they use.
  std::uint64_t address_bytes = 0, cpu_seconds = 0;
  // Of a file that a process writes to, its log among them: SIGXFSZ ends it there (by the kernel; 0: none).
  std::uint64_t file_bytes = std::uint64_t{1} << 30;
  std::uint64_t line_bytes = kMaxLine;
  bool give_up = true;  // an op after three timeouts or ten other errors in a row on it; a reducer's questions go on
  std::uint32_t window = 64;                            // requests in flight at most; 1: each waits for its answer
  std::uint64_t window_bytes = std::uint64_t{4} << 20;  // of those requests together, unless one alone is longer
};

// How a question ended that has no answer.
enum class Trouble : std::uint8_t {
  none,
  exit,   // the process ended by itself
  crash,  // by a signal
  timeout,
  flood,        // a line over the limit
  memory,       // over ChildLimits::resident_bytes, and killed
  noise,        // output that is no answer to anything
  protocol,     // an answer, but not to this request in this protocol
  not_started,  // the command could not be started again
  not_sent,     // the op was given up (conformance.md), or the request is longer than a line
};
std::string_view name_of(Trouble trouble);

// A live or dead process. Not for several threads at once.
class Child {
 public:
  // Starts it, or says why that is not possible. SIGPIPE is ignored by this process from then on, unless it is
  // handled.
  static Read<Child> start(const Command& command, const ChildLimits& limits);
  Child(Child&& o) noexcept;
  Child& operator=(Child&& o) noexcept;
  ~Child();  // kills the group

  // Queues a line for its input; what fits is written at once by step().
  void send(std::string_view line);
  // Writes and reads what is possible, waiting for something to happen for at most that long. Stops early for a line.
  void step(std::chrono::milliseconds wait);
  // The next whole line of its output, without newline, until the next call of step(); nullopt: none yet.
  std::optional<std::string_view> line();
  bool has_output() const { return at_ < buffer_.size(); }  // lines or a part of one not yet taken

  bool alive() const { return death_ == Trouble::none; }
  // Once dead: exit, crash, flood or memory, with a text such as "crash: SIGSEGV".
  Trouble death() const { return death_; }
  const std::string& death_text() const { return death_text_; }
  void kill();

 private:
  Child() = default;
  void write_some();
  void read_some();
  void look_at_memory();
  void end(Trouble death, std::string text);
  void reap();

  pid_t pid_ = 0;  // 0: none, or waited for
  int in_ = -1, out_ = -1;
  std::string pending_;  // to be written, from written_ on
  std::size_t written_ = 0;
  std::string buffer_;  // read, from at_ on not yet taken, up to scanned_ known to hold no newline
  std::size_t at_ = 0, scanned_ = 0;
  ChildLimits limits_;
  std::chrono::steady_clock::time_point looked_;
  Trouble death_ = Trouble::none;
  std::string death_text_;
};

}  // namespace assay::conformance
