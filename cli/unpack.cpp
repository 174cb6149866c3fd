// SPDX-License-Identifier: Apache-2.0
// assay neff unpack. The reader refuses paths that are absolute or hold ".."; on top of that every
// directory is opened from its parent's descriptor without following links, and files are only
// ever made new, so that nothing lands outside whatever happens to the directory meanwhile.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "cli/commands.h"
#include "cli/output_files.h"
#include "cli/progress.h"
#include "cli/reports.h"
#include "cli/text.h"
#include "oracle/container/container.h"

namespace assay::cli {
namespace {

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// The components of a member's path, or why it can be no file below a directory.
Result<std::vector<std::string>> components(const std::string& path) {
  std::vector<std::string> parts;
  const auto unsafe = [&path](const char* why) {
    return refuse(Reason::unsafe_path, {path, {}, {}, {}}, why);
  };
  if (path.find('\0') != std::string::npos) return unsafe("holds a NUL");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return unsafe("component is empty, . or ..");
    parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

// Files and directories made below one directory; removed again unless kept.
class Unpacker {
 public:
  explicit Unpacker(std::string root) : root_(std::move(root)) {}
  ~Unpacker() {
    for (auto it = made_.rbegin(); it != made_.rend(); ++it)
      ::unlinkat(dir_.get(), it->path.c_str(), it->is_directory ? AT_REMOVEDIR : 0);
  }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  // Makes the root and its parents; it must be empty.
  Io<> open() {
    if (auto made = parents_.make(root_); !made) return made;
    dir_ = Fd(::open(root_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!dir_) return io_error(errno_text(root_, errno));
    std::error_code error;
    const bool empty = std::filesystem::is_empty(root_, error);
    if (error) return io_error(root_ + ": " + error.message());
    if (!empty) return io_error(root_ + ": is not empty");
    return {};
  }

  Io<> put(const std::vector<std::string>& parts, ByteView bytes) {
    Fd inner;
    int at = dir_.get();
    std::string path;
    const auto failed = [&](int error) {
      return io_error(errno_text(root_ + "/" + path, error));
    };
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      path += (i == 0 ? "" : "/") + parts[i];
      if (::mkdirat(at, parts[i].c_str(), 0777) == 0) {
        made_.push_back({path, true});
      } else if (errno != EEXIST) {
        return failed(errno);
      }
      Fd next(::openat(at, parts[i].c_str(), kOpenDirectory));
      if (!next) return failed(errno);
      inner = std::move(next);
      at = inner.get();
    }
    path += (path.empty() ? "" : "/") + parts.back();
    Fd file(::openat(at, parts.back().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                     0666));
    if (!file) return failed(errno);
    made_.push_back({path, false});
    if (!write_all(file.get(), bytes) || !file.close()) return failed(errno);
    return {};
  }

  void keep() {
    made_.clear();
    parents_.keep();
  }

 private:
  struct Made {
    std::string path;  // from the root
    bool is_directory;
  };
  std::string root_;
  MadeDirectories parents_;
  Fd dir_;
  std::vector<Made> made_;
};

}  // namespace

Exit run_neff_unpack(const NeffUnpackArgs& args, Out& out) {
  const auto file = read_file(args.file);
  if (!file) return fail(file.error());
  ProgressLine line;
  line.at("unpacking " + args.file);
  const auto members = read_neff(file->view(), args.options);
  const auto paths = [&]() -> Result<std::vector<std::vector<std::string>>> {
    if (!members) return tl::unexpected<Refusal>(members.error());
    std::vector<std::vector<std::string>> all;
    for (const auto& member : *members) {
      ASSAY_TRY_LET(parts, components(member.first));
      all.push_back(std::move(parts));
    }
    return all;
  }();
  if (!paths) {
    line.stop();
    return refused(paths.error(), args.json, out);
  }

  Unpacker unpacker(args.output);
  Io<> done = unpacker.open();
  std::uint64_t bytes = 0;
  auto parts = paths->begin();
  for (auto it = members->begin(); done && it != members->end(); ++it, ++parts) {
    bytes += it->second.size();
    done = unpacker.put(*parts, it->second.view());
  }
  line.stop();
  if (!done) return fail(done.error());
  unpacker.keep();
  if (args.json) {
    out.write(unpacked_json(args.output, members->size(), bytes));
  } else {
    out.line(fmt::format("directory={} files={} bytes={}", escape_word(args.output),
                         members->size(), bytes));
  }
  return kOk;
}

}  // namespace assay::cli
