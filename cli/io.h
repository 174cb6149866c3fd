// SPDX-License-Identifier: Apache-2.0
// The tool's way to the operating system: whole files in, a checked standard output, exit codes.
// It knows no format. Errors are one-line messages ("path: what happened"), never exceptions, save
// std::bad_alloc, which main answers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "oracle/base/bytes.h"

namespace assay::cli {

// The process's exit codes: part of the tool's interface.
enum Exit : int { kOk = 0, kRefused = 1, kUsageOrIo = 2, kUnspecified = 3 };

template <class T = void>
using Io = tl::expected<T, std::string>;
inline tl::unexpected<std::string> io_error(std::string message) {
  return tl::unexpected<std::string>(std::move(message));
}
// "path: <errno's text>".
std::string errno_text(std::string_view path, int error);

// An owned file descriptor.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  ~Fd() { close(); }
  Fd(Fd&& o) noexcept : fd_(o.fd_) { o.fd_ = -1; }
  Fd& operator=(Fd&& o) noexcept {
    std::swap(fd_, o.fd_);
    return *this;
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  bool close();  // false with errno set when the system refused; closed either way

 private:
  int fd_;
};

// What is no regular file (a pipe, a device) is read up to this many bytes.
inline constexpr std::uint64_t kMaxStreamBytes = std::uint64_t{1} << 30;

// A file's bytes, exactly sized. Throws std::bad_alloc.
Io<Buffer> read_file(const std::string& path);

// Writes all of it; on failure returns false with errno set.
bool write_all(int fd, ByteView bytes);

// Standard output, buffered. A failed write is remembered, what follows is dropped, and main turns
// it into a message and exit code 2.
class Out {
 public:
  void write(std::string_view text);
  void line(std::string_view text) {
    write(text);
    write("\n");
  }
  bool flush();
  int error() const { return error_; }  // errno of the first failure, or 0

 private:
  std::string buffer_;
  int error_ = 0;
};

// One line on standard error. The text is escaped, so that it stays one line.
void complain(std::string_view text);
// "assay: <message>" and the exit code that goes with it.
Exit fail(std::string_view message);

// Occupies descriptors 0 to 2 where the caller closed them, so that no file of ours lands there;
// closes the descriptor that $ASSAY_BUILD_LOCK names; makes broken pipes and file size limits errors
// instead of signals.
void prepare_process();

}  // namespace assay::cli
