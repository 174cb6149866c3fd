// SPDX-License-Identifier: Apache-2.0
#include "cli/io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

#include "cli/text.h"

namespace assay::cli {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

// read(2) until `size` bytes or the end came; -1 with errno set on failure.
ssize_t read_some(int fd, std::uint8_t* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::read(fd, to + done, std::min(size - done, std::size_t{1} << 30));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return static_cast<ssize_t>(done);
}

Io<Buffer> read_stream(const std::string& path, int fd) {
  std::vector<std::uint8_t> all;
  for (;;) {
    const std::size_t had = all.size();
    all.resize(had + kChunk);
    const ssize_t n = read_some(fd, all.data() + had, kChunk);
    if (n < 0) return io_error(errno_text(path, errno));
    all.resize(had + static_cast<std::size_t>(n));
    if (static_cast<std::size_t>(n) < kChunk) return Buffer(ByteView(all));
    if (all.size() > kMaxStreamBytes)
      return io_error(path + ": more than 1 GiB, and no regular file");
  }
}

}  // namespace

std::string errno_text(std::string_view path, int error) {
  return std::string(path) + ": " + std::generic_category().message(error);
}

bool Fd::close() {
  const int fd = fd_;
  fd_ = -1;
  return fd < 0 || ::close(fd) == 0;
}

Io<Buffer> read_file(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0) return io_error(errno_text(path, errno));
  if (S_ISDIR(info.st_mode)) return io_error(errno_text(path, EISDIR));
  // Files of the kernel (/proc) are regular and say they are empty.
  if (!S_ISREG(info.st_mode) || info.st_size == 0) return read_stream(path, fd.get());
  Buffer bytes(static_cast<std::size_t>(info.st_size));
  const ssize_t n = read_some(fd.get(), bytes.data(), bytes.size());
  if (n < 0) return io_error(errno_text(path, errno));
  if (static_cast<std::size_t>(n) < bytes.size())
    return io_error(path + ": became shorter while it was read");
  return bytes;
}

bool write_all(int fd, ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), std::min(bytes.size(), std::size_t{1} << 30));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

void Out::write(std::string_view text) {
  if (error_ != 0) return;
  buffer_ += text;
  if (buffer_.size() >= kChunk) flush();
}

bool Out::flush() {
  if (error_ == 0 && !write_all(STDOUT_FILENO, as_bytes(buffer_))) error_ = errno;
  buffer_.clear();
  return error_ == 0;
}

void complain(std::string_view text) {
  std::string line = escape_text(text);
  for (const std::string_view lead : {"refused:", "unspecified:"})
    if (std::string_view(line).substr(0, lead.size()) == lead)
      line = paint(STDERR_FILENO, Colour::red, lead) + line.substr(lead.size());
  line += '\n';
  write_all(STDERR_FILENO, as_bytes(line));  // there is nobody left to tell of a failure
}

Exit fail(std::string_view message) {
  complain("assay: " + std::string(message));
  return kUsageOrIo;
}

void prepare_process() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free descriptor is this one. Read-only on standard output: writing there fails.
    const int flags = fd == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", flags) != fd) ::_exit(kUsageOrIo);
  }
  // The script at the root keeps others from building until this is running.
  if (const char* const lock = std::getenv("ASSAY_BUILD_LOCK")) {
    int fd = -1;
    const auto read = std::from_chars(lock, lock + std::strlen(lock), fd);
    if (read.ec == std::errc{} && fd > STDERR_FILENO) ::close(fd);
    ::unsetenv("ASSAY_BUILD_LOCK");
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // ignored by some that start us: then no child's end would be known
}

}  // namespace assay::cli
