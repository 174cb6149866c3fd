// SPDX-License-Identifier: Apache-2.0
#include "cli/reduce_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/output_files.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

// Errors of a path, not of the device: "a" and "a/b" cannot both be files.
bool is_of_names(int error) {
  return error == EEXIST || error == ENOTDIR || error == EISDIR || error == ENAMETOOLONG || error == EINVAL;
}

// 0, or errno. `path` is in a directory that exists.
int write_file(const std::string& path, ByteView bytes) {
  Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!fd || !write_all(fd.get(), bytes) || !fd.close()) return errno;
  return 0;
}

int write_members(const std::string& directory, const Members& members) {
  std::error_code error;
  fs::create_directory(directory, error);
  if (error) return error.value();
  for (const auto& [path, bytes] : members) {
    const std::string full = directory + "/" + path;
    fs::create_directories(fs::path(full).parent_path(), error);
    if (error) return error.value();
    if (const int failed = write_file(full, bytes.view())) return failed;
  }
  return 0;
}

int write_artefact(const std::string& path, const Artefact& a) {
  return a.members != nullptr ? write_members(path, *a.members) : write_file(path, a.file);
}

void remove_all(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
}

// `made` takes the place of `path`, in one step where the system can do that.
int swap_in(const std::string& made, const std::string& path) {
  if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) {
    remove_all(made);
    return 0;
  }
  if (errno == ENOENT) return ::rename(made.c_str(), path.c_str()) == 0 ? 0 : errno;
  const std::string old = made + ".old";
  if (::rename(path.c_str(), old.c_str()) != 0) return errno;
  if (::rename(made.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::rename(old.c_str(), path.c_str());
    return error;
  }
  remove_all(old);
  return 0;
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

std::uint64_t Artefact::size() const {
  if (members == nullptr) return file.size();
  std::uint64_t n = 0;
  for (const auto& member : *members) n += member.second.size();
  return n;
}

Io<> CaseDirectory::open() {
  auto made = harness::ScratchDirectory::make();
  if (!made) return io_error(made.error());
  directory_ = std::move(*made);
  return {};
}

Io<std::optional<std::string>> CaseDirectory::put(const Artefact& artefact) {
  const std::string path = directory_->path() + "/" + name_;
  remove_all(path);
  const int error = write_artefact(path, artefact);
  if (error == 0) return path;
  if (artefact.members != nullptr && is_of_names(error)) return std::nullopt;
  return io_error(errno_text(path, error));
}

Io<> may_write(const Artefact& artefact, const std::string& path) {
  std::error_code error;
  // Before the search, which may be long, and not after it.
  const fs::path parent = fs::path(without_slash(path)).parent_path();
  if (!parent.empty() && !fs::is_directory(parent, error))
    return io_error(path + ": its directory is not there: " + parent.string());
  const bool directory = fs::is_directory(path, error);
  if (artefact.members == nullptr) {
    if (path.empty() || path.back() == '/' || directory) return io_error(path + ": a file's name is expected");
    return {};
  }
  if (directory) {
    const bool empty = fs::is_empty(path, error);
    if (!error && !empty) return io_error(path + ": is not empty");
    return error ? io_error(path + ": " + error.message()) : Io<>();
  }
  if (path.empty() || fs::exists(path, error)) return io_error(errno_text(path, ENOTDIR));
  return {};
}

Io<> write_result(const Artefact& artefact, const std::string& path) {
  const std::string clean = without_slash(path);
  const auto slash = clean.rfind('/');
  const std::string parent = slash == std::string::npos ? "" : clean.substr(0, slash + 1);
  if (artefact.members == nullptr) {
    OutputFiles files(parent);
    if (auto added = files.add(clean.substr(parent.size()), artefact.file); !added) return added;
    return files.commit();
  }
  MadeDirectories made;
  if (!parent.empty())
    if (auto done = made.make(without_slash(parent)); !done) return done;
  const std::string beside = fmt::format("{}.assay-{}.tmp", parent, ::getpid());
  remove_all(beside);
  int error = write_artefact(beside, artefact);
  if (error == 0) error = swap_in(beside, clean);
  if (error != 0) {
    remove_all(beside);
    return io_error(errno_text(clean, error));
  }
  made.keep();
  return {};
}

}  // namespace assay::cli
