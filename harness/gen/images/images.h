// SPDX-License-Identifier: Apache-2.0
// The parts of a generated tree: what an image may hold whatever a lowering would make, each part in
// a file of its own. It builds oracle trees and neither encodes nor checks them. A choice of 0 is
// the plain one, so that a source that has run dry ends in a small image.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/gen/gen.h"
#include "oracle/dtype/enums.h"
#include "oracle/tree/tree.h"

namespace assay::harness::images {

// What a tree must have, whatever else is drawn: bits. A part made for one has room left in it
// (unused slots, short names), so that what leans on the part finds it.
enum Wants : std::uint64_t {
  kNothing = 0,
  kBlob = 1 << 0,             // an engine with code, not in whole slots
  kQueues = 1 << 1,           // two queues, not every slot taken
  kInstances = 1 << 2,        // a ring instance without and one with descriptors
  kCopy = 1 << 3,             // a descriptor of that op, with a function's name
  kFma = 1 << 4,
  kAdd = 1 << 5,
  kMinMax = 1 << 6,
  kTranspose = 1 << 7,
  kVariables = 1 << 8,        // two plain ones with sizes and a debug record
  kBuffer = 1 << 9,           // a variable with bytes
  kList = 1 << 10,            // one with a list
  kVirtual = 1 << 11,
  kPointer = 1 << 12,
  kRemote = 1 << 13,
  kActSets = 1 << 14,         // with both tables
  kDve = 1 << 15,             // with two buffers and one empty
  kCarveouts = 1 << 16,
  kGroups = 1 << 17,          // with sub-groups and participants
  kPairs = 1 << 18,           // with pairs and a set of groups
  kLibs = 1 << 19,            // with content and functions; the image then ends unaligned
};

struct Maker {
  Choices& c;
  const GenSize& size;
  std::uint64_t wants;
  Tree tree = {};

  bool wanted(Wants w) const { return (wants & w) != 0; }
  // Choices::chance, but false where there is nothing left to choose from.
  bool maybe(std::uint32_t percent) { return c.below(100) >= 100 - percent; }
  // Whether an optional part is there: because it is wanted, or now and then.
  bool has(Wants w, std::uint32_t percent) {
    const bool drawn = maybe(percent);
    return drawn || wanted(w);
  }

  std::uint8_t u8() { return static_cast<std::uint8_t>(c.edge(0, 0xff)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(c.edge(0, 0xffff)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(c.edge(0, 0xffffffff)); }
  std::uint64_t u64() { return c.edge(0, ~std::uint64_t{0}); }
  std::uint8_t flag() { return static_cast<std::uint8_t>(c.below(2)); }
  std::uint32_t up_to(std::uint32_t max) { return static_cast<std::uint32_t>(c.below(std::uint64_t{max} + 1)); }
  std::uint32_t any(EnumId id);                 // an enumerator's code
  std::string text(std::size_t max);            // bytes without NUL, at most max, mostly short
  std::string blob(std::size_t min);            // at least min bytes
  template <std::size_t N>
  void put(char (&field)[N], const std::string& s) {
    s.copy(field, N - 1);
  }

  void engines();
  void queues();
  void descriptor(kbin_dma_desc_t& d, DescOp op, bool roomy);
  void variables();
  void act_sets();
  void dve();
  void carveouts();
  void groups(kbin_replica_group_set_t& into, bool full);
  void pairs();
  void libs();
  void rest();

 private:
  void queue(kbin_dma_t& q, bool roomy);
  void pattern(kbin_dma_desc_info_t& p, bool roomy);
  void info(kbin_dma_desc_t& d, DescOp op, std::uint32_t sources);
  void variable(kbin_mem_ref& m, std::uint32_t id, MrType type, bool plain);
  void profile(kbin_act_profile_data_t& d);
  std::uint8_t* bytes(std::size_t min, std::uint64_t& count);
};

// The whole tree, with what is wanted and whatever else is drawn.
Tree gen_tree(Choices& c, const GenSize& size, std::uint64_t wants = kNothing);

}  // namespace assay::harness::images
