// SPDX-License-Identifier: Apache-2.0
// A directory as an input: the members its archive would have (CON-012).
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "oracle/container/collect.h"
#include "oracle/container/container.h"
#include "oracle/container/guard.h"
#include "oracle/container/paths.h"

namespace assay {
namespace {

using namespace container;
namespace fs = std::filesystem;

class File {
 public:
  // No link is followed, and a pipe put there meanwhile does not block.
  explicit File(const std::string& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

class DirectoryReader {
 public:
  DirectoryReader(const Limits& limits, std::string& io_error)
      : members_(limits), io_error_(io_error) {}

  Result<> walk(const fs::path& root) {
    std::vector<std::string> found{""};  // directories still to be read, as prefixes of paths
    while (!found.empty() && io_error_.empty()) {
      const std::string prefix = std::move(found.back());
      found.pop_back();
      const fs::path directory = prefix.empty() ? root : root / prefix;
      std::error_code error;
      for (fs::directory_iterator it(directory, error), end; !error && it != end;
           it.increment(error)) {
        const std::string path = prefix + it->path().filename().string();
        const fs::file_status status = it->symlink_status(error);
        if (error) break;
        if (fs::is_directory(status)) found.push_back(path + "/");
        if (fs::is_regular_file(status) && !is_dropped(path)) ASSAY_TRY(add(root / path, path));
        if (!io_error_.empty()) return {};
      }
      if (error) failed(directory.string(), error.message());
    }
    return {};
  }

  Members take() { return io_error_.empty() ? members_.take() : Members(); }

 private:
  // unreached: the system's errors
  void failed(const std::string& path, const std::string& message) {
    io_error_ = path + ": " + message;
  }
  void failed(const std::string& path) { failed(path, std::generic_category().message(errno)); }
  // reached

  Result<> add(const std::string& file_path, const std::string& path) {
    const File file(file_path);
    struct stat info {};
    if (file.get() < 0 || ::fstat(file.get(), &info) != 0) {
      failed(file_path);  // unreached: the system's errors
      return {};          // unreached: the system's errors
    }
    if (!S_ISREG(info.st_mode)) return {};  // it was one when the directory was read
    const auto size = static_cast<std::uint64_t>(info.st_size);
    ASSAY_TRY(members_.admit(path, size, {path, {}, {}, {}}));
    Buffer bytes(static_cast<std::size_t>(size));
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t n = ::read(file.get(), bytes.data() + done, bytes.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) failed(file_path);
      if (n == 0) failed(file_path, "became shorter while it was read");
      if (n <= 0) return {};
      done += static_cast<std::size_t>(n);
    }
    members_.put(path, std::move(bytes));
    return {};
  }

  Collector members_;
  std::string& io_error_;
};

}  // namespace

Result<Members> read_directory(const std::string& path, const Limits& limits,
                               std::string& io_error) {
  return guarded([&]() -> Result<Members> {
    io_error.clear();
    DirectoryReader reader(limits, io_error);
    ASSAY_TRY(reader.walk(path));
    return reader.take();
  });
}

}  // namespace assay
