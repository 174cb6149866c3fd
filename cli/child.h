// SPDX-License-Identifier: Apache-2.0
// A program that runs beside the tool, in a process group of its own: its output is read as it comes and
// kept but for the middle of what is long, and it is signalled and waited for. It knows nothing of what
// runs.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/io.h"

namespace assay::cli {

struct Program {
  std::vector<std::string> arguments;  // the first is its path, or a name to be looked for
  std::vector<std::pair<std::string, std::string>> environment;  // set besides the tool's own
};

class Child {
 public:
  static Io<Child> start(const Program& program);
  Child(Child&& o) noexcept { *this = std::move(o); }
  Child& operator=(Child&& o) noexcept;
  ~Child();  // kills what still runs

  pid_t pid() const { return pid_; }
  int output() const { return pipe_.get(); }  // to be polled
  // Takes what has come of its output, and calls `line` for each line that is whole, at most
  // kMostLine bytes of it.
  void read(const std::function<void(const std::string&)>& line = {});
  // Whether it has ended; its status is known from then on, and all of its output was read.
  bool ended(const std::function<void(const std::string&)>& line = {});
  int status() const { return status_; }  // as waitpid() gives it
  std::string status_text() const;        // "exited with 3", "died of signal 9"
  void signal(int number);                // to the whole group

  std::string text() const;       // of its output: the beginning and the end
  static constexpr std::size_t kMostLine = 4096, kHead = 64 << 10, kTail = 256 << 10;

 private:
  Child() = default;
  void take(std::string_view bytes, const std::function<void(const std::string&)>& line);

  pid_t pid_ = 0;  // 0: waited for
  int status_ = 0;
  Fd pipe_;
  std::string head_, tail_, line_;
  bool cut_ = false;
};

// Runs it to its end, or kills it after that many seconds, or when interrupted. False: it was killed.
bool finish(Child& child, double seconds);

}  // namespace assay::cli
