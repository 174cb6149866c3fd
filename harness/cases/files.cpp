// SPDX-License-Identifier: Apache-2.0
#include "harness/cases/files.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace assay::harness {
namespace {

namespace fs = std::filesystem;

tl::unexpected<std::string> failed(const std::string& path, int error) {
  return tl::unexpected<std::string>(path + ": " + std::generic_category().message(error));
}

// Closes it.
Stored<std::string> read_all(int fd, const std::string& path) {
  struct stat info {};
  constexpr std::uint64_t kMostOfFile = std::uint64_t{8} << 30, kMostOfStream = std::uint64_t{1} << 30;
  const std::uint64_t most = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? kMostOfFile : kMostOfStream;
  std::string all;
  char chunk[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    const int error = errno;
    if (n > 0) {
      all.append(chunk, static_cast<std::size_t>(n));
      if (all.size() > most) {
        ::close(fd);
        return failed(path, EFBIG);
      }
      continue;
    }
    ::close(fd);
    if (n < 0) return failed(path, error);
    return all;
  }
}

}  // namespace

Stored<std::string> read_whole(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return fd < 0 ? failed(path, errno) : read_all(fd, path);
}

Stored<std::string> read_regular(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  struct stat info {};
  if (fd < 0 && errno != ELOOP && errno != ENXIO) return failed(path, errno);  // a link; a socket
  if (fd >= 0 && ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) return read_all(fd, path);
  if (fd >= 0) ::close(fd);
  return tl::unexpected<std::string>(path + ": no regular file");
}

Stored<> write_whole(const std::string& path, const std::string& bytes) {
  const std::string temporary = path + "." + std::to_string(::getpid()) + ".tmp";
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return failed(path, errno);
  int error = 0;
  for (std::size_t done = 0; error == 0 && done < bytes.size();) {
    const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n >= 0) done += static_cast<std::size_t>(n);
    else if (errno != EINTR) error = errno;
  }
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(temporary.c_str());
  return failed(path, error);
}

Stored<> make_directories(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return failed(path, error.value());
  return {};
}

Stored<std::vector<std::string>> names_in(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  if (error) return failed(directory, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

bool is_directory(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}
bool is_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

std::string to_base64(const std::string& bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int n = ::EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                  reinterpret_cast<const unsigned char*>(bytes.data()),
                                  static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(n));
  return out;
}

Stored<std::string> from_base64(const std::string& text) {
  std::string out(text.size() / 4 * 3 + 3, '\0');
  const int n = text.empty() ? 0
                             : ::EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                                 reinterpret_cast<const unsigned char*>(text.data()),
                                                 static_cast<int>(text.size()));
  if (n < 0 || text.size() % 4 != 0) return tl::unexpected<std::string>("no base64: " + text.substr(0, 40));
  // What stands for padding is decoded as zeros.
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  out.resize(static_cast<std::size_t>(n) - padding);
  return out;
}

}  // namespace assay::harness
