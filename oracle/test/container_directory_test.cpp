// SPDX-License-Identifier: Apache-2.0
// A directory as an input has the members its archive would have.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "oracle/test/covers.h"
#include "oracle/test/packages.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

class ContainerDirectory : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "assay-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  void write(const std::string& path, const std::string& bytes) {
    const fs::path at = root_ / path;
    fs::create_directories(at.parent_path());
    std::ofstream(at, std::ios::binary) << bytes;
  }
  Result<Members> read(const Limits& limits = {}) {
    return read_directory(root_.string(), limits, io_error_);
  }

  fs::path root_;
  std::string io_error_ = "left over";
};

TEST_F(ContainerDirectory, MembersOfItsArchive) {
  ASSAY_COVERS("CON-012");
  const Files files{{"neff.json", "{}"}, {"sg00/def.json", "{\"a\":1}"}, {"sg00/deep/er/x", "x"},
                    {"sg00/empty", ""},  {"\xE9\xFF", "bytes"},          {".hidden", "h"},
                    {"._a", "m"}};
  std::string tar;
  for (const auto& [path, bytes] : files) {
    write(path, bytes);
    tar += tar_member("./" + path, bytes);
  }
  write("sg00/wavegraph-bin.json", "dropped");
  tar += tar_member("./sg00/wavegraph-bin.json", "dropped");
  fs::create_directory(root_ / "nothing");
  const auto r = read();
  expect_files(r, files);
  EXPECT_EQ(io_error_, "");
  ASSERT_TRUE(r);
  EXPECT_EQ(files_of(*read_archive_bytes(tar)), files_of(*r));
}

TEST_F(ContainerDirectory, LinksAndPipesAreNotFollowed) {
  ASSAY_COVERS("CON-012", "CON-014");
  write("d/a", "hello");
  fs::create_symlink("a", root_ / "d/to-file");
  fs::create_directory_symlink("d", root_ / "to-directory");
  fs::create_directory_symlink("..", root_ / "d/loop");
  fs::create_symlink("/etc/passwd", root_ / "outside");
  fs::create_symlink("nowhere", root_ / "dangling");
  ASSERT_EQ(mkfifo((root_ / "pipe").c_str(), 0600), 0);
  expect_files(read(), {{"d/a", "hello"}});
  EXPECT_EQ(io_error_, "");
  // A hard link is a file like any other, and the directory named itself may be a link.
  fs::create_hard_link(root_ / "d/a", root_ / "d/b");
  const fs::path link = root_ / "to-directory";
  expect_files(read_directory(link.string(), {}, io_error_), {{"a", "hello"}, {"b", "hello"}});
}

TEST_F(ContainerDirectory, EmptyOne) {
  ASSAY_COVERS("CON-012");
  expect_files(read(), {});
  EXPECT_EQ(io_error_, "");
}

TEST_F(ContainerDirectory, ErrorsAreNoRefusals) {
  ASSAY_COVERS("CON-012");
  const std::string missing = (root_ / "missing").string();
  expect_files(read_directory(missing, {}, io_error_), {});
  EXPECT_EQ(io_error_, missing + ": No such file or directory");
  write("file", "x");
  const std::string file = (root_ / "file").string();
  expect_files(read_directory(file, {}, io_error_), {});
  EXPECT_EQ(io_error_, file + ": Not a directory");
  if (geteuid() == 0) return;  // who may read everything
  fs::permissions(root_ / "file", fs::perms::none);
  expect_files(read(), {});
  EXPECT_EQ(io_error_, file + ": Permission denied");
  fs::permissions(root_ / "file", fs::perms::owner_read);
  expect_files(read(), {{"file", "x"}});
  EXPECT_EQ(io_error_, "");
}

TEST_F(ContainerDirectory, Limits) {
  ASSAY_COVERS("CON-012");
  write("a", std::string(600, 'a'));
  write("d/b", std::string(400, 'b'));
  assay::Limits limits;
  limits.expanded_bytes = 1000;
  limits.members = 2;
  EXPECT_TRUE(read(limits));
  limits.members = 1;
  expect_refused(read(limits), Reason::limit_members);
  limits.members = 2;
  limits.expanded_bytes = 999;
  expect_refused(read(limits), Reason::limit_expanded_bytes);
  // A file that says to be huge takes no memory first.
  write("sparse", "");
  fs::resize_file(root_ / "sparse", std::uint64_t{1} << 40);
  limits.members = 9;
  limits.expanded_bytes = std::uint64_t{1} << 30;
  expect_refused(read(limits), Reason::limit_expanded_bytes);
  fs::remove(root_ / "sparse");
  EXPECT_TRUE(read(limits));
}

TEST_F(ContainerDirectory, ModelOfTheCorpus) {
  ASSAY_COVERS("CON-012");
  const auto r = read_directory(ASSAY_CORPUS_DIR "/models/allreduce32", {}, io_error_);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(io_error_, "");
  ASSERT_NE(r->find("sg00/def.json"), nullptr);
  ASSERT_NE(r->find("sg00/pool.bin"), nullptr);
  EXPECT_EQ(r->find("sg00/pool.bin")->size(), 192U);
  EXPECT_EQ(r->find("sg00/act.bin")->size(), 0U);
}

}  // namespace
}  // namespace assay::test
