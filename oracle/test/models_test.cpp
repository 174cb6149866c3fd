// SPDX-License-Identifier: Apache-2.0
// The two stored models: their images' sizes and checksums, and what is in them (lowering.md).
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "oracle/container/container.h"
#include "oracle/test/covers.h"
#include "oracle/test/stored.h"

namespace assay::test {
namespace {

const std::string kModels = ASSAY_CORPUS_DIR "/models/";

Buffer read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  return Buffer(std::string_view(bytes));
}

std::string summary(const Tree& tree) {
  const auto image = encode(tree);
  if (!image) return image.error().text();
  const Inspection seen = inspect(image->view());
  for (const Finding& f : seen.findings) ADD_FAILURE() << f.path << " " << f.detail;
  char text[64];
  std::snprintf(text, sizeof text, "%zu bytes, crc32 %08x", image->size(),
                static_cast<unsigned>(crc32_of(image->view().subspan(80))));
  EXPECT_EQ(load<std::uint32_t>(image->data() + image::kCrcAt),
            crc32_of(image->view().subspan(80)));
  return text;
}

TEST(Models, MatmulSmall) {
  ASSAY_COVERS("IMG-001", "LOW-002", "LOW-003", "LOW-011", "CON-010", "CON-021");
  const Buffer file = read_file(kModels + "matmul_small/matmul_small.neff");
  Options options;
  options.verify_digest = true;
  for (const auto arch : {std::optional<ArchType>(), std::optional(ArchType::CAYMAN)}) {
    options.arch = arch;
    const auto lowered = lower_neff(file.view(), options);
    ASSERT_TRUE(lowered.has_value()) << lowered.error().text();
    EXPECT_EQ(lowered->target, ArchType::CAYMAN);
    ASSERT_EQ(lowered->graphs.size(), 2u);
    EXPECT_EQ(summary(lowered->graphs[0].tree), "100104 bytes, crc32 51cad75c");
    EXPECT_EQ(summary(lowered->graphs[1].tree), "100104 bytes, crc32 95922ed8");
    const std::uint32_t ninstr[] = {5, 2, 12, 7, 3};  // act, dve, pe, pool, sp
    for (const LoweredGraph& g : lowered->graphs) {
      for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(g.tree.root().engine[i]->ninstr, ninstr[i]);
      EXPECT_EQ(g.tree.root().target, 3u);
    }
  }
  for (const ArchType arch : {ArchType::SUNDA, ArchType::MARIANA}) {
    options.arch = arch;
    const auto lowered = lower_neff(file.view(), options);
    ASSERT_FALSE(lowered.has_value());
    EXPECT_EQ(row_of(lowered.error().reason).id, "target-differs");
  }
}

TEST(Models, MatmulSmallInputsAndOutputs) {
  ASSAY_COVERS("IO-002", "IO-003", "IO-006", "DT-004");
  const Buffer file = read_file(kModels + "matmul_small/matmul_small.neff");
  const auto lowered = lower_neff(file.view(), {});
  ASSERT_TRUE(lowered.has_value()) << lowered.error().text();
  std::string told;
  for (const auto* list : {&lowered->io.inputs, &lowered->io.outputs})
    for (const Tensor& t : *list)
      told += t.name + ":" + std::to_string(code(t.dtype)) + ":" + std::to_string(t.size) + " ";
  // The compiler gave both outputs one name.
  EXPECT_EQ(told, "x:7:65536 y:7:65536 output0:7:32768 output0:7:32768 ");
}

Members allreduce() {
  std::string io_error;
  auto members = read_directory(kModels + "allreduce32", {}, io_error);
  EXPECT_TRUE(members.has_value() && io_error.empty()) << io_error;
  return members ? std::move(*members) : Members();
}

struct ArchRow {
  ArchType arch;
  const char* summary;
};
constexpr ArchRow kArchs[] = {{ArchType::SUNDA, "15896 bytes, crc32 e076bdb4"},
                              {ArchType::CAYMAN, "15896 bytes, crc32 47de460b"},
                              {ArchType::MARIANA, "15976 bytes, crc32 01adc2bf"}};

TEST(Models, Allreduce32) {
  ASSAY_COVERS("IMG-001", "CON-023", "CON-012", "UCL-009");
  const Members members = allreduce();
  for (const ArchRow& row : kArchs) {
    Options options;
    options.arch = row.arch;
    const auto lowered = lower_members(members, options);
    ASSERT_TRUE(lowered.has_value()) << lowered.error().text();
    ASSERT_EQ(lowered->graphs.size(), 1u);
    EXPECT_EQ(summary(lowered->graphs[0].tree), row.summary);
    // Packed in either way, it is the same model.
    for (const std::uint64_t version : {1u, 2u}) {
      PackOptions how;
      how.pkg_version = version;
      const auto file = pack(members, how);
      ASSERT_TRUE(file.has_value());
      options.verify_digest = true;
      const auto packed = lower_neff(file->view(), options);
      ASSERT_TRUE(packed.has_value()) << packed.error().text();
      EXPECT_EQ(summary(packed->graphs[0].tree), row.summary);
    }
  }
}

TEST(Models, Allreduce32WithoutAnArchitecture) {
  ASSAY_COVERS("CON-024");
  const auto open = lower_members(allreduce(), {});
  ASSERT_FALSE(open.has_value());
  EXPECT_EQ(open.error().text(),
            "refused: target is \"*\" and no architecture was given (--arch) at kelf-a.json/target "
            "(CON-024)");
}

TEST(Models, Allreduce32AtAGlance) {
  ASSAY_COVERS("LOW-002", "LOW-005", "DMQ-006", "CCM-001", "CCM-004", "SBC-003");
  Options options;
  options.arch = ArchType::CAYMAN;
  const auto lowered = lower_members(allreduce(), options);
  ASSERT_TRUE(lowered.has_value()) << lowered.error().text();
  const Tree& tree = lowered->graphs[0].tree;
  const Stored s(tree);
  const std::uint64_t types[] = {1, 3, 0, 2, 4}, ninstr[] = {0, 0, 1, 3, 0};
  for (int i = 0; i < 5; ++i) {
    const std::string at = "engine[" + std::to_string(i) + "].";
    EXPECT_EQ(s.number(at + "eng_type"), types[i]);
    EXPECT_EQ(s.number(at + "ninstr"), ninstr[i]);
  }
  EXPECT_EQ(s.number("dma[0].ring_type"), 7u);
  EXPECT_EQ(s.number("dma[0].owner"), 2u);
  EXPECT_EQ(s.number("dma[0].semaphore_cnt"), 1u);
  EXPECT_EQ(s.number("dma[0].semaphores[0]"), 10u);
  EXPECT_EQ(s.number("dma[0].ring_instance_count"), 1u);
  EXPECT_EQ(s.number("dma[0].ring_instances[0].ndesc"), 1u);
  EXPECT_EQ(s.number("dma[1].ring_type"), 8u);
  EXPECT_EQ(s.number("dma[1].semaphores[0]"), 11u);
  bool seen = false;
  for (const Allocation& a : tree.allocations())
    seen |= a.kind == Kind::ring_instance && a.bytes == 5720;
  EXPECT_TRUE(seen);
  const char* names[] = {"input", "SB", "output", "gradient_in", "gradient_out"};
  const std::uint64_t mr[] = {5, 1, 6, 4, 4}, sizes[] = {128, 0, 128, 128, 128};
  for (int i = 0; i < 5; ++i) {
    const std::string at = "mem_ref_set.mem[" + std::to_string(i) + "].";
    EXPECT_EQ(s.text(at + "name"), names[i]);
    EXPECT_EQ(s.number(at + "mr_type"), mr[i]);
    EXPECT_EQ(s.number(at + "size"), sizes[i]);
  }
  const std::string d = "dma[0].ring_instances[0].desc[0].u.";
  EXPECT_EQ(s.number(d + "from[0].idx"), 0u);
  EXPECT_EQ(s.number(d + "to.idx"), 3u);
  EXPECT_EQ(s.number(d + "from[0].num_dims"), 2u);
  EXPECT_EQ(s.number(d + "from[0].sizes[0]"), 128u);
  EXPECT_EQ(s.number(d + "from[0].sizes[1]"), 1u);
  EXPECT_EQ(s.number(d + "from[0].steps[0]"), 1u);
  EXPECT_EQ(s.number(d + "from[0].steps[1]"), 128u);
  EXPECT_EQ(s.number("replica_groups.num_groups"), 1u);
  EXPECT_EQ(s.number("replica_groups.groups[0].num_subgroups"), 0u);
  EXPECT_EQ(s.number("sb_carveouts.count"), 0u);
  EXPECT_EQ(s.number("cc_streams.num_streams"), 1u);
  EXPECT_EQ(s.number("target"), 3u);
}

}  // namespace
}  // namespace assay::test
