// SPDX-License-Identifier: Apache-2.0
#include "conformance/runner/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "conformance/runner/processes.h"

namespace assay::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::string_view kTroubles[] = {"none",          "exit",  "crash",    "timeout",     "flood",
                                          "out of memory", "noise", "protocol", "not started", "not sent"};
constexpr milliseconds kLookEvery{200}, kTick{100}, kGrace{500};
constexpr int kPipeBytes = 1 << 20;

tl::unexpected<std::string> failed(const char* what, int error) {
  return tl::unexpected<std::string>(fmt::format("{}: {}", what, std::strerror(error)));
}

struct Pipe {
  int read = -1, write = -1;
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0], write = ends[1];
    return true;
  }
  ~Pipe() {
    if (read >= 0) ::close(read);
    if (write >= 0) ::close(write);
  }
  int take(int& end) { return std::exchange(end, -1); }
};

// Everything a child needs, made before the fork: behind it nothing may allocate.
struct Launch {
  std::vector<std::string> environment;
  std::vector<char*> argv, envp;

  explicit Launch(const Command& c) {
    for (const std::string& a : c.argv) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    for (const auto& [key, value] : c.environment) environment.push_back(key + "=" + value);
    for (char** e = environ; *e != nullptr; ++e) {
      const std::string_view entry(*e);
      bool replaced = false;
      for (const auto& [key, value] : c.environment)
        if (entry.substr(0, entry.find('=')) == key) replaced = true;
      if (!replaced) envp.push_back(*e);
    }
    for (std::string& e : environment) envp.push_back(e.data());
    envp.push_back(nullptr);
  }
};

void limit(int resource, std::uint64_t value) {
  if (value == 0) return;
  const rlimit l{value, value};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &l);
}

void tell_errno(int fd) {
  const int error = errno;
  [[maybe_unused]] const ssize_t n = ::write(fd, &error, sizeof error);
}

// A shell ends with 128 + n where signal n ended what it ran.
std::string exit_text(int code) {
  const char* const signal = code > 128 ? ::sigabbrev_np(code - 128) : nullptr;
  return fmt::format("exit: code {}", code) +
         (signal == nullptr ? "" : fmt::format(" (SIG{}, as a shell tells it)", signal));
}

[[noreturn]] void run_child(const Command& command, const Launch& launch, const ChildLimits& limits, pid_t parent,
                            int in, int out, int log, int told) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it was already gone
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // Whatever this process does on a crash, the child's is to be seen as one.
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP, SIGXFSZ})
    ::signal(s, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  limit(RLIMIT_AS, limits.address_bytes);
  limit(RLIMIT_CPU, limits.cpu_seconds);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  ::dup2(log, STDERR_FILENO);
  if (command.function) {
    // Its channel is apart from the standard streams, so that what it prints harms nothing.
    const int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, STDIN_FILENO);
    ::dup2(log, STDOUT_FILENO);
    close_all_but(in, out);
    int code = 127;
    try {
      code = command.function(in, out);
    } catch (...) {
      code = 126;
    }
    ::_exit(code);
  }
  ::signal(SIGPIPE, SIG_DFL);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::execvpe(launch.argv[0], launch.argv.data(), launch.envp.data());
  tell_errno(told);
  ::_exit(127);
}

}  // namespace

std::string_view name_of(Trouble trouble) { return kTroubles[static_cast<std::size_t>(trouble)]; }

Command Command::shell(const std::string& line) {
  Command c;
  c.argv = {"/bin/sh", "-c", line};
  return c;
}

Read<Child> Child::start(const Command& command, const ChildLimits& limits) {
  if (command.argv.empty() && !command.function) return tl::unexpected<std::string>("no command");
  struct sigaction pipe_action {};
  if (::sigaction(SIGPIPE, nullptr, &pipe_action) == 0 && pipe_action.sa_handler == SIG_DFL)
    ::signal(SIGPIPE, SIG_IGN);

  Pipe in, out, told;
  if (!in.open() || !out.open() || !told.open()) return failed("no pipe", errno);
  const char* const log_path = command.log.empty() ? "/dev/null" : command.log.c_str();
  // A pipe that nobody reads may stand in the log's place: to open it is to wait for a reader.
  const int log = ::open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  if (log < 0) return failed(log_path, errno);
  ::fcntl(log, F_SETFL, O_APPEND);
  for (const int fd : {in.write, out.read}) {
    ::fcntl(fd, F_SETFL, O_NONBLOCK);
    ::fcntl(fd, F_SETPIPE_SZ, kPipeBytes);  // fewer turns for large messages; may be refused
  }

  const Launch launch(command);
  const pid_t parent = ::getpid();
  std::fflush(nullptr);  // or a function that ends would print what this process has not yet printed
  const pid_t pid = ::fork();
  if (pid == 0) run_child(command, launch, limits, parent, in.read, out.write, log, told.write);
  const int fork_error = errno;
  ::close(log);
  if (pid < 0) return failed("no process", fork_error);
  ::setpgid(pid, pid);  // whichever of the two comes first

  Child child;
  child.pid_ = pid;
  child.in_ = in.take(in.write);
  child.out_ = out.take(out.read);
  child.limits_ = limits;
  child.looked_ = Clock::now();
  if (!command.function) {
    // Closed by a successful exec; else it tells why not.
    ::close(told.take(told.write));
    int error = 0;
    ssize_t n;
    while ((n = ::read(told.read, &error, sizeof error)) < 0 && errno == EINTR) {
    }
    if (n == sizeof error) return failed(command.argv[0].c_str(), error);
  }
  return child;
}

Child::Child(Child&& o) noexcept { *this = std::move(o); }

Child& Child::operator=(Child&& o) noexcept {
  if (this == &o) return *this;
  kill();
  pid_ = std::exchange(o.pid_, 0);
  in_ = std::exchange(o.in_, -1);
  out_ = std::exchange(o.out_, -1);
  pending_ = std::move(o.pending_), written_ = o.written_;
  buffer_ = std::move(o.buffer_), at_ = o.at_, scanned_ = o.scanned_;
  limits_ = o.limits_, looked_ = o.looked_;
  death_ = o.death_, death_text_ = std::move(o.death_text_);
  return *this;
}

Child::~Child() { kill(); }

void Child::kill() {
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
  }
  if (in_ >= 0) ::close(std::exchange(in_, -1));
  if (out_ >= 0) ::close(std::exchange(out_, -1));
}

void Child::send(std::string_view line) {
  if (written_ == pending_.size()) pending_.clear(), written_ = 0;
  pending_.append(line);
  pending_ += '\n';
}

void Child::write_some() {
  while (in_ >= 0 && written_ < pending_.size()) {
    const ssize_t n = ::write(in_, pending_.data() + written_, pending_.size() - written_);
    if (n > 0) {
      written_ += static_cast<std::size_t>(n);
    } else if (n < 0 && errno != EINTR) {
      // It reads no more; how it ends is seen at its output.
      if (errno != EAGAIN) ::close(std::exchange(in_, -1));
      return;
    }
  }
}

void Child::read_some() {
  if (at_ > 0 && at_ == buffer_.size()) buffer_.clear(), at_ = scanned_ = 0;
  if (at_ > (1 << 20)) buffer_.erase(0, at_), scanned_ -= at_, at_ = 0;
  char chunk[64 << 10];
  for (int turn = 0; turn < 16 && out_ >= 0; ++turn) {
    const ssize_t n = ::read(out_, chunk, sizeof chunk);
    if (n > 0) {
      buffer_.append(chunk, static_cast<std::size_t>(n));
      if (static_cast<std::size_t>(n) < sizeof chunk) break;
    } else if (n == 0) {
      reap();
    } else if (errno != EINTR) {
      break;
    }
  }
  if (scanned_ - at_ > limits_.line_bytes && alive())
    end(Trouble::flood, fmt::format("flood: a line over {} bytes", limits_.line_bytes));
}

std::optional<std::string_view> Child::line() {
  const std::size_t newline = buffer_.find('\n', std::max(at_, scanned_));
  if (newline == std::string::npos) {
    scanned_ = buffer_.size();
    if (scanned_ - at_ > limits_.line_bytes && alive())
      end(Trouble::flood, fmt::format("flood: a line over {} bytes", limits_.line_bytes));
    return std::nullopt;
  }
  std::string_view text = std::string_view(buffer_).substr(at_, newline - at_);
  at_ = scanned_ = newline + 1;
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

void Child::step(milliseconds wait) {
  if (!alive()) return;
  write_some();
  const auto until = Clock::now() + wait;
  do {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    const bool writes = in_ >= 0 && written_ < pending_.size();
    pollfd fds[2] = {{out_, POLLIN, 0}, {writes ? in_ : -1, POLLOUT, 0}};
    const int n = ::poll(fds, 2, static_cast<int>(std::max<std::int64_t>(0, std::min(left, kTick).count())));
    if (n > 0) {
      if (fds[1].revents != 0) write_some();
      if (fds[0].revents != 0) {
        read_some();
        break;
      }
    } else {
      // It may have ended while something it started holds its output open.
      siginfo_t info{};
      if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_)
        reap();
    }
    look_at_memory();
  } while (alive() && Clock::now() < until);
  look_at_memory();
}

void Child::look_at_memory() {
  if (!alive() || limits_.resident_bytes == 0 || Clock::now() - looked_ < kLookEvery) return;
  looked_ = Clock::now();
  if (resident_of_group(pid_) > limits_.resident_bytes)
    end(Trouble::memory, fmt::format("out of memory: over {} MiB resident", limits_.resident_bytes >> 20));
}

void Child::end(Trouble death, std::string text) {
  if (!alive()) return;
  death_ = death;
  death_text_ = std::move(text);
  kill();
}

// Its output has ended, or itself has: takes the status, after a moment for the one to follow the other.
void Child::reap() {
  int status = 0;
  pid_t done = 0;
  for (const auto until = Clock::now() + kGrace;
       (done = ::waitpid(pid_, &status, WNOHANG)) == 0 && Clock::now() < until;)
    ::poll(nullptr, 0, 1);
  if (done != pid_) return end(Trouble::exit, "exit: closed its standard output");
  ::kill(-pid_, SIGKILL);  // what it left behind
  pid_ = 0;
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    const char* const name = ::sigabbrev_np(number);
    std::string why;
    if (number == SIGKILL) why = " (killed from outside, or out of memory)";
    if (number == SIGXFSZ) why = fmt::format(" (a file or log of more than {} bytes)", limits_.file_bytes);
    end(Trouble::crash, fmt::format("crash: SIG{}{}", name == nullptr ? std::to_string(number) : name, why));
  } else {
    end(Trouble::exit, exit_text(WEXITSTATUS(status)));
  }
}

}  // namespace assay::conformance
