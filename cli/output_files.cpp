// SPDX-License-Identifier: Apache-2.0
#include "cli/output_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace assay::cli {
namespace {

bool is_directory(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

}  // namespace

MadeDirectories::~MadeDirectories() {
  for (auto it = made_.rbegin(); it != made_.rend(); ++it) ::rmdir(it->c_str());
}

Io<> MadeDirectories::make(const std::string& path) {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    const std::string part = path.substr(0, end);
    if (::mkdir(part.c_str(), 0777) == 0) {
      made_.push_back(part);
    } else if (const int error = errno; !is_directory(part)) {
      return io_error(errno_text(part, error == EEXIST ? ENOTDIR : error));
    }
  }
  return {};
}

Io<> can_write_below(const std::string& directory) {
  std::string at = directory.empty() ? "." : directory;
  struct stat info {};
  while (::stat(at.c_str(), &info) != 0) {
    // A link to nothing is there all the same, and in the way.
    if (errno != ENOENT || ::lstat(at.c_str(), &info) == 0) return io_error(errno_text(directory, errno));
    while (at.size() > 1 && at.back() == '/') at.pop_back();
    const auto slash = at.rfind('/');
    at = slash == std::string::npos ? "." : at.substr(0, slash + 1);
  }
  if (!S_ISDIR(info.st_mode)) return io_error(errno_text(at, ENOTDIR));
  const std::string trial = fmt::format("{}/.assay-{}.tmp", at, ::getpid());
  if (::mkdir(trial.c_str(), 0700) != 0) return io_error(errno_text(at, errno));
  ::rmdir(trial.c_str());
  return {};
}

Io<> can_write_file(const std::string& directory, const std::string& name) {
  const std::string path = directory + name;
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return io_error(errno_text(path, EISDIR));
    if (!S_ISREG(info.st_mode)) return io_error(path + ": exists and is no regular file");
  } else if (errno != ENOENT) {
    return io_error(errno_text(path, errno));
  }
  return can_write_below(directory);
}

OutputFiles::~OutputFiles() {
  for (const Pending& p : pending_) ::unlink(p.temporary.c_str());
}

std::string OutputFiles::path_of(const std::string& name) const {
  if (directory_.empty()) return name;
  return directory_.back() == '/' ? directory_ + name : directory_ + "/" + name;
}

Io<> OutputFiles::add(const std::string& name, ByteView bytes) {
  if (!directory_.empty() && pending_.empty()) {
    if (auto made = made_.make(directory_); !made) return made;
  }
  const std::string path = path_of(name);
  struct stat info {};
  // Renaming would put a file in the place of a device.
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return io_error(path + ": exists and is no regular file");
  Fd fd;
  std::string temporary;
  for (int i = 0; i < 1000; ++i) {
    temporary = path_of(fmt::format(".assay-{}-{}-{}.tmp", ::getpid(), pending_.size(), i));
    fd = Fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (fd || errno != EEXIST) break;
  }
  if (!fd) return io_error(errno_text(path, errno));
  pending_.push_back({temporary, path});
  if (!write_all(fd.get(), bytes) || !fd.close()) return io_error(errno_text(path, errno));
  return {};
}

Io<> OutputFiles::commit() {
  while (!pending_.empty()) {
    const Pending& p = pending_.back();
    if (::rename(p.temporary.c_str(), p.path.c_str()) != 0)
      return io_error(errno_text(p.path, errno));
    pending_.pop_back();
  }
  made_.keep();
  return {};
}

}  // namespace assay::cli
