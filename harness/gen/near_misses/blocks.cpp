// SPDX-License-Identifier: Apache-2.0
// Defects of blocks and of the plain parts of descriptors.
#include "harness/gen/near_misses/ground.h"

namespace assay::harness::near_misses {
namespace {

constexpr std::nullopt_t kAny = std::nullopt;

At a_block(Ground& g) { return g.block(); }
At a_copy(Ground& g) { return g.descriptor(g.c.chance(50) ? "copy" : "transpose"); }

void set(Ground& g, At& at, const char* key, Json value) {
  g.at(at)[key] = std::move(value);
  at = at / key;
}

// One side of a copy: its keys, to break either.
struct SideKeys {
  const char *variable, *sizes, *steps;
};
const SideKeys& side(Ground& g) {
  static constexpr SideKeys kSides[] = {{"from", "from_sizes", "from_steps"}, {"to", "to_sizes", "to_steps"}};
  return g.c.pick(kSides);
}

const Kind kKinds[] = {
    {{"block-id-absent", Reason::block_key_missing}, kAny, a_block, [](Ground& g, At& at) { g.at(at).erase("id"); }},
    {{"block-desc-absent", Reason::block_key_missing}, kAny, a_block,
     [](Ground& g, At& at) { g.at(at).erase("desc"); }},
    {{"block-queue-absent", Reason::block_key_missing}, kAny, a_block,
     [](Ground& g, At& at) {
       if (g.c.chance(50)) g.at(at).erase("queue");
       else g.at(at)["queue"] = "";
     }},
    {{"block-queue-unknown", Reason::queue_unknown}, kAny, a_block,
     [](Ground& g, At& at) { set(g, at, "queue", "no such queue"); }},
    {{"block-instance-unknown", Reason::instance_unknown}, kAny, a_block,
     [](Ground& g, At& at) {
       g.at(at).erase("queue");
       set(g, at, "instance_name", "no such instance");
     }},
    {{"op-unknown", Reason::op_unknown}, kAny, a_copy,
     [](Ground& g, At& at) {
       static constexpr const char* kWrong[] = {"", "Copy", "copy ", "mul", "invalid", "memcpy"};
       set(g, at, "op", g.c.pick(kWrong));
     }},
    {{"desc-variable-absent", Reason::desc_variable_missing}, kAny, a_copy,
     [](Ground& g, At& at) { g.at(at).erase(side(g).variable); }},
    {{"desc-variable-unknown", Reason::desc_variable_unknown}, kAny, a_copy,
     [](Ground& g, At& at) { set(g, at, side(g).variable, "no such variable"); }},
    {{"pattern-lengths", Reason::pattern_lengths}, kAny, a_copy,
     [](Ground& g, At& at) {
       const SideKeys& s = side(g);
       if (g.c.chance(50)) g.at(at)[s.sizes].push_back(1);
       else g.at(at)[s.steps].push_back(1);
       at = at / s.sizes;
     }},
    {{"pattern-no-dims", Reason::pattern_dims}, kAny, a_copy,
     [](Ground& g, At& at) {
       const SideKeys& s = side(g);
       g.at(at)[s.sizes] = g.at(at)[s.steps] = Json::array();
       at = at / s.sizes;
     }},
    {{"pattern-9-dims", Reason::pattern_dims}, kAny, a_copy,
     [](Ground& g, At& at) {
       const SideKeys& s = side(g);
       g.at(at)[s.sizes] = g.at(at)[s.steps] = Json(std::vector<int>(9, 1));
       at = at / s.sizes;
     }},
    {{"pattern-absent", Reason::pattern_dims}, kAny, a_copy,
     [](Ground& g, At& at) {
       const SideKeys& s = side(g);
       g.at(at).erase(s.sizes);
       g.at(at).erase(s.steps);
     }},
    {{"pattern-size-zero", Reason::pattern_size_zero}, kAny, a_copy,
     [](Ground& g, At& at) {
       const SideKeys& s = side(g);
       const std::size_t i = g.c.below(2);
       g.at(at)[s.sizes][i] = 0;
       at = at / s.sizes / i;
     }},
    {{"pattern-half", Reason::pattern_half}, kAny, a_copy,
     [](Ground& g, At& at) {
       const SideKeys& s = side(g);
       const bool sizes = g.c.chance(50);
       g.at(at).erase(sizes ? s.steps : s.sizes);
       at = at / (sizes ? s.sizes : s.steps);
     }},
    {{"plain-size-zero", Reason::plain_size_zero}, kAny,
     [](Ground& g) {
       const At at = a_copy(g);
       Json& d = g.at(at);
       d["size"] = 1;
       d.erase("to_sizes");
       d.erase("to_steps");
       return at;
     },
     [](Ground& g, At& at) { set(g, at, "size", 0); }},
    {{"desc-dtype-unknown", Reason::desc_dtype_unknown}, kAny, a_copy,
     [](Ground& g, At& at) {
       static constexpr const char* kWrong[] = {"", "float", "FLOAT32", "float8_e5m2", "float4_e2m1fn", "fp32"};
       set(g, at, g.c.chance(50) ? "from_dtype" : "to_dtype", g.c.pick(kWrong));
     }},
};

}  // namespace

std::span<const Kind> block_kinds() { return kKinds; }

}  // namespace assay::harness::near_misses
