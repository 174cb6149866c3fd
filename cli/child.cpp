// SPDX-License-Identifier: Apache-2.0
#include "cli/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "cli/interrupt.h"

extern char** environ;

namespace assay::cli {
namespace {

// The tool's environment with the program's own in place of what has the same name.
std::vector<std::string> environment_of(const Program& program) {
  std::vector<std::string> out;
  for (char** e = environ; *e != nullptr; ++e) {
    const std::string_view entry(*e);
    const auto own = [&](const auto& pair) {
      return entry.substr(0, pair.first.size()) == pair.first && entry.substr(pair.first.size(), 1) == "=";
    };
    if (std::none_of(program.environment.begin(), program.environment.end(), own)) out.emplace_back(entry);
  }
  for (const auto& [name, value] : program.environment) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

Io<Child> Child::start(const Program& program) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return io_error(errno_text("a pipe", errno));
  Child child;
  child.pipe_ = Fd(ends[0]);
  const Fd write_end(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);

  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) ::posix_spawn_file_actions_adddup2(&files, ends[1], fd);
  ::posix_spawnattr_init(&how);
  ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  ::posix_spawnattr_setpgroup(&how, 0);
  sigset_t usual;
  ::sigemptyset(&usual);
  for (const int number : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM}) ::sigaddset(&usual, number);
  ::posix_spawnattr_setsigdefault(&how, &usual);

  std::vector<std::string> arguments = program.arguments, environment = environment_of(program);
  const int error = ::posix_spawnp(&child.pid_, arguments[0].c_str(), &files, &how, pointers(arguments).data(),
                                   pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&how);
  if (error != 0) {
    child.pid_ = 0;
    return io_error(errno_text(program.arguments[0], error));
  }
  return child;
}

Child& Child::operator=(Child&& o) noexcept {
  std::swap(pid_, o.pid_);
  std::swap(status_, o.status_);
  std::swap(pipe_, o.pipe_);
  std::swap(head_, o.head_);
  std::swap(tail_, o.tail_);
  std::swap(line_, o.line_);
  std::swap(cut_, o.cut_);
  return *this;
}

Child::~Child() {
  if (pid_ == 0) return;
  ::kill(-pid_, SIGKILL);
  while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) continue;
}

void Child::signal(int number) {
  if (pid_ != 0) ::kill(-pid_, number);
}

void Child::take(std::string_view bytes, const std::function<void(const std::string&)>& line) {
  const std::size_t first = std::min(bytes.size(), kHead - head_.size());
  head_.append(bytes.substr(0, first));
  tail_.append(bytes.substr(first));
  if (tail_.size() > 2 * kTail) {
    cut_ = true;
    tail_.erase(0, tail_.size() - kTail);
  }
  if (!line) return;
  for (const char ch : bytes) {
    if (ch == '\n') {
      line(line_);
      line_.clear();
    } else if (line_.size() < kMostLine) {
      line_ += ch;
    }
  }
}

// A bounded share at a time: what floods the pipe does not keep others waiting.
void Child::read(const std::function<void(const std::string&)>& line) {
  char bytes[64 << 10];
  for (int n = 0; n < 16; ++n) {
    const ssize_t got = ::read(pipe_.get(), bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    take({bytes, static_cast<std::size_t>(got)}, line);
  }
}

bool Child::ended(const std::function<void(const std::string&)>& line) {
  if (pid_ == 0) return true;
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != pid_)
    return false;
  // The group first, before its leader's number is free again.
  ::kill(-pid_, SIGKILL);
  while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) continue;
  pid_ = 0;
  read(line);
  if (line && !line_.empty()) line(line_);
  return true;
}

std::string Child::status_text() const {
  return WIFSIGNALED(status_) ? fmt::format("died of signal {}", WTERMSIG(status_))
                              : fmt::format("exited with {}", WEXITSTATUS(status_));
}

std::string Child::text() const {
  return cut_ ? head_ + "\n[...]\n" + tail_ : head_ + tail_;
}

bool finish(Child& child, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (!child.ended()) {
    if (Clock::now() > end || was_interrupted()) {
      child.signal(SIGKILL);
      while (!child.ended()) ::usleep(1000);
      return false;
    }
    pollfd wait{child.output(), POLLIN, 0};
    ::poll(&wait, 1, 10);
    // An output that was closed would be ready for ever.
    if ((wait.revents & POLLIN) == 0 && wait.revents != 0) ::usleep(10000);
    child.read();
  }
  return true;
}

}  // namespace assay::cli
