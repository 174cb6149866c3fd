// SPDX-License-Identifier: Apache-2.0
#include "conformance/protocol/serve.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace assay::conformance {
namespace {

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// Bytes of an input as lines.
class Lines {
 public:
  explicit Lines(int fd) : fd_(fd) {}

  // The next line in `line`, without its newline; false at the end. Of a line over the limit only `too_long` is told.
  bool next(std::string& line, bool& too_long) {
    line.clear();
    too_long = false;
    for (;;) {
      const char* const begin = chunk_ + at_;
      const void* const newline = std::memchr(begin, '\n', end_ - at_);
      const std::size_t n =
          newline == nullptr ? end_ - at_ : static_cast<std::size_t>(static_cast<const char*>(newline) - begin);
      if (line.size() + n > kMaxLine) too_long = true;
      if (too_long) std::string().swap(line);
      else line.append(begin, n);
      at_ += n;
      if (newline != nullptr) return ++at_, true;
      if (!fill()) return !line.empty() || too_long;
    }
  }

 private:
  bool fill() {
    at_ = end_ = 0;
    for (;;) {
      const ssize_t n = ::read(fd_, chunk_, sizeof chunk_);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      end_ = static_cast<std::size_t>(n);
      return true;
    }
  }

  int fd_;
  std::size_t at_ = 0, end_ = 0;
  char chunk_[64 << 10];
};

}  // namespace

void serve(const harness::Subject& subject, const Identity& identity, int in, int out) {
  constexpr std::string_view kTooLong =
      R"({"id":null,"status":"unsupported","reason":"bad-request","at":"a line over 256 MiB"})";
  Lines lines(in);
  std::string line;
  bool too_long = false;
  while (lines.next(line, too_long)) {
    if (line.empty() && !too_long) continue;
    std::string answer = too_long ? std::string(kTooLong) : respond(subject, identity, line);
    answer += '\n';
    if (!write_all(out, answer)) return;
  }
}

}  // namespace assay::conformance
