// SPDX-License-Identifier: Apache-2.0
// The tree as a whole, its engines and small values.
#include "harness/gen/images/images.h"

#include "oracle/image/image.h"

namespace assay::harness {
namespace images {

std::uint32_t Maker::any(EnumId id) {
  return static_cast<std::uint32_t>(c.pick(enum_row(id).values).code);
}

std::string Maker::text(std::size_t max) {
  std::size_t n = c.below(std::uint64_t{size.text_bytes} + 1);
  if (maybe(3)) n = c.edge(0, max);
  std::string s(std::min(n, max), 'a');
  const bool plain = c.chance(80);
  for (char& ch : s) ch = static_cast<char>(plain ? 'a' + c.below(26) : 1 + c.below(255));
  return s;
}

std::string Maker::blob(std::size_t min) {
  std::string s(std::max<std::size_t>(min, c.edge(0, size.blob_bytes)), '\0');
  for (std::size_t i = 0; i < s.size(); i += 8) {
    const std::uint64_t v = c.bits();
    std::memcpy(s.data() + i, &v, std::min<std::size_t>(8, s.size() - i));
  }
  return s;
}

std::uint8_t* Maker::bytes(std::size_t min, std::uint64_t& count) {
  const std::string s = blob(min);
  count = s.size();
  return tree.make_bytes(as_bytes(s));
}

void Maker::engines() {
  constexpr std::string_view kNames[] = {"act", "dve", "pe", "pool", "sp"};
  constexpr EngineType kTypes[] = {EngineType::ACT, EngineType::DVE, EngineType::PE, EngineType::POOL,
                                   EngineType::SP};
  for (std::size_t i = 0; i < 5; ++i) {
    const bool code_wanted = wanted(kBlob) && i == 2;
    const bool with_code = maybe(50);
    std::string code = with_code || code_wanted ? blob(code_wanted ? 130 : 0) : "";
    if (code_wanted && code.size() % 64 == 0) code += '\1';
    kbin_engine_t* e = tree.root().engine[i] = tree.make_engine(as_bytes(code));
    const bool odd = i < 4 && maybe(10);  // the last has room behind its name
    put(e->name, odd ? text(255) : std::string(kNames[i]));
    e->eng_type = odd ? any(EnumId::EngineType) : static_cast<std::uint32_t>(assay::code(kTypes[i]));
    e->ninstr = static_cast<std::uint32_t>(code.size() >> 6);
  }
}

void Maker::rest() {
  kbin_t& k = tree.root();
  tree.subgraph = c.chance(70) ? up_to(3) : u32();
  k.target = 2 + up_to(2);
  k.cc_streams.num_streams = c.chance(70) ? 1 : u64();
  kbin_fp8_conv_cfg_t& f = k.fp8_conv_cfg;
  f.fp8_range_extension = flag();
  f.emax_fp8_e4m3 = u32();
  f.emax_fp8_e5m2 = u32();
  f.ocp_sat = flag();
  f.sis = flag();
  f.sns = flag();
}

Tree gen_tree(Choices& c, const GenSize& size, std::uint64_t wants) {
  Maker m{c, size, wants};
  m.rest();
  m.engines();
  m.queues();
  m.variables();
  m.act_sets();
  m.dve();
  m.carveouts();
  if (m.has(kGroups, 30)) {
    kbin_replica_group_set_t set{};
    m.groups(set, m.wanted(kGroups));
    m.tree.root().replica_groups = set;
  }
  m.pairs();
  m.libs();
  return std::move(m.tree);
}

}  // namespace images

Buffer gen_image(Choices& c, const GenSize& size) {
  auto image = encode(images::gen_tree(c, size));
  return image ? std::move(*image) : Buffer();  // refused only beyond the limits, which no size reaches
}

}  // namespace assay::harness
