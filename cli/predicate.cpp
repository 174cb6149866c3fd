// SPDX-License-Identifier: Apache-2.0
#include "cli/predicate.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

extern char** environ;

namespace assay::cli {
namespace {

constexpr int kSignals[3] = {SIGINT, SIGTERM, SIGCHLD};
constexpr char kCase[] = "ASSAY_CASE";

volatile std::sig_atomic_t g_signal = 0;
int g_wake[2] = {-1, -1};  // written to by the handler, polled by whoever waits

void on_signal(int signal) {
  const int error = errno;
  if (signal != SIGCHLD) g_signal = signal;
  const char byte = 0;
  if (::write(g_wake[1], &byte, 1) < 0) {
    // Full: whoever polls will wake all the same.
  }
  errno = error;
}

// Whether {} at i is a word of its own.
bool is_word(const std::string& command, std::size_t i) {
  const auto blank = [&](std::size_t k) { return k >= command.size() || std::strchr(" \t\n", command[k]) != nullptr; };
  return command.compare(i, 2, "{}") == 0 && blank(i + 2) && (i == 0 || blank(i - 1));
}

// The command with its words {} replaced; or with the path behind it.
std::string with_case(const std::string& command) {
  const std::string path = std::string("\"$") + kCase + "\"";
  std::string out;
  bool replaced = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const bool word = is_word(command, i);
    out += word ? path : std::string(1, command[i]);
    i += word ? 1 : 0;
    replaced |= word;
  }
  return replaced ? out : out + " " + path;
}

struct Spawned {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

  Spawned() {
    ::posix_spawn_file_actions_init(&files);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&files, fd, "/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t usual;
    ::sigemptyset(&usual);
    for (const int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGCHLD}) ::sigaddset(&usual, signal);
    ::posix_spawnattr_setsigdefault(&attributes, &usual);
  }
  ~Spawned() {
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
  }
  Spawned(const Spawned&) = delete;
  Spawned& operator=(const Spawned&) = delete;
};

bool has_ended(pid_t child) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}

}  // namespace

bool has_bound_braces(const std::string& command) {
  for (std::size_t i = command.find("{}"); i != std::string::npos; i = command.find("{}", i + 1))
    if (!is_word(command, i)) return true;
  return false;
}

bool Predicate::interrupted() { return g_signal != 0; }
int Predicate::signal() { return g_signal; }

Predicate::Predicate(const std::string& command, std::uint64_t timeout_seconds)
    : command_(with_case(command)), timeout_(timeout_seconds) {
  g_signal = 0;
  if (::pipe2(g_wake, O_CLOEXEC | O_NONBLOCK) != 0) g_wake[0] = g_wake[1] = -1;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (int i = 0; i < 3; ++i) ::sigaction(kSignals[i], &action, &before_[i]);
}

Predicate::~Predicate() {
  for (int i = 0; i < 3; ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  for (int& fd : g_wake) {
    ::close(fd);
    fd = -1;
  }
}

Io<bool> Predicate::holds(const std::string& path) {
  using Clock = std::chrono::steady_clock;
  std::string variable = std::string(kCase) + "=" + path;
  std::vector<char*> environment;
  for (char** e = environ; *e != nullptr; ++e)
    if (std::strncmp(*e, kCase, sizeof kCase - 1) != 0 || (*e)[sizeof kCase - 1] != '=') environment.push_back(*e);
  environment.push_back(variable.data());
  environment.push_back(nullptr);
  std::string shell = "sh", option = "-c", command = command_;
  char* const arguments[] = {shell.data(), option.data(), command.data(), nullptr};

  const Spawned how;
  pid_t child = 0;
  if (const int error = ::posix_spawn(&child, "/bin/sh", &how.files, &how.attributes, arguments, environment.data()))
    return io_error(errno_text("/bin/sh", error));

  const auto end = Clock::now() + std::chrono::seconds(timeout_);
  bool late = false, ended = false;
  while (!(ended = has_ended(child)) && !late && g_signal == 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd wake{g_wake[0], POLLIN, 0};
    // A second at most, for a wake that was lost.
    if (left > 0) ::poll(&wake, 1, static_cast<int>(std::min<long long>(left + 1, 1000)));
    char bytes[64];
    while (::read(g_wake[0], bytes, sizeof bytes) > 0) continue;
    late = Clock::now() >= end;
  }
  // The group, before its leader's number is free again: what the command left behind ends as well.
  ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  was_late_ = !ended && late;
  could_not_run_ = ended && WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127);
  if (!ended) {
    last_ = late ? fmt::format("took more than {} s", timeout_) : "was interrupted";
    return false;
  }
  last_ = WIFEXITED(status) ? fmt::format("exited with {}", WEXITSTATUS(status))
                            : fmt::format("died of signal {}", WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace assay::cli
