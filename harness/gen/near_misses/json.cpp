// SPDX-License-Identifier: Apache-2.0
// Defects of value types: the same few faults at any typed key of any section.
#include "harness/gen/near_misses/ground.h"

namespace assay::harness::near_misses {
namespace {

constexpr std::nullopt_t kAny = std::nullopt;

void set(Ground& g, At& at, const char* key, Json value) {
  g.at(at)[key] = std::move(value);
  at = at / key;
}

// A consumed key: how to reach the object that holds it.
struct Site {
  At (*object)(Ground&);
  const char* key;
};
At fp8(Ground& g) { return g.section("fp8_conversion_config", Json::object()); }
At whole(Ground& g) { return g.root(); }
At copy(Ground& g) { return g.descriptor("copy"); }
At input(Ground& g) { return g.variable("input"); }
At data_queue(Ground& g) { return g.queue("data"); }
At act(Ground& g) { return g.engine("act"); }
At block(Ground& g) { return g.block(); }

constexpr Site kUnsigned64[] = {
    {input, "size"},
    {[](Ground& g) { return g.variable("virtual"); }, "backing_variable_off"},
    {copy, "from_off"},
    {copy, "to_off"},
    {[](Ground& g) { return g.carveout(); }, "offset"},
    {[](Ground& g) { return g.carveout(); }, "partitions"},
    {[](Ground& g) { return g.section("cc_streams", Json::object()); }, "num_streams"},
};
constexpr Site kUnsigned32[] = {
    {input, "var_id"},
    {block, "id"},
    {data_queue, "num_queues"},
    {[](Ground& g) { return g.queue("embedding_update"); }, "embedding_update_sync_semaphore"},
    {fp8, "emax_fp8_e4m3"},
    {fp8, "emax_fp8_e5m2"},
    {act, "act_semaphore"},
    {copy, "num_tiling_dimensions"},
    {[](Ground& g) { return g.variable("pointer"); }, "referenced_var_id"},
    {[](Ground& g) { return g.descriptor("transpose"); }, "transpose_element_size"},
};
constexpr Site kUnsigned8[] = {
    {block, "priority_class"},
    {[](Ground& g) { return g.ucode(); }, "cpu_id"},
    {[](Ground& g) { return g.ucode(); }, "total_cpus"},
    {[](Ground& g) { return g.ucode_function(); }, "opcode"},
    {[](Ground& g) { return g.ucode_function(); }, "sub_opcode"},
};
constexpr Site kBooleans[] = {
    {data_queue, "dge"},
    {data_queue, "pinned"},
    {data_queue, "indirect_memcpy"},
    {fp8, "fp8_range_extension"},
    {fp8, "ocp_sat"},
    {fp8, "fp8_sis"},
    {fp8, "fp8_sns"},
};
constexpr Site kStrings[] = {
    {input, "type"},
    {input, "dtype"},
    {data_queue, "owner"},
    {data_queue, "type"},
    {block, "function_start"},
    {block, "queue"},
    {copy, "op"},
    {copy, "from"},
    {copy, "to_dtype"},
    {[](Ground& g) { return g.variable("file"); }, "file_name"},
    {[](Ground& g) { return g.ucode(); }, "library"},
    {whole, "pe"},
};
constexpr Site kArrays[] = {
    {whole, "replica_groups"},
    {whole, "src_target_pairs"},
    {whole, "runtime_statebuffer_reservation"},
    {whole, "dma"},
    {input, "shape"},
    {[](Ground& g) { return g.variable("list"); }, "list"},
    {data_queue, "semaphore_set"},
    {data_queue, "queue_instances"},
    {block, "desc"},
    {copy, "from_sizes"},
    {copy, "to_steps"},
    {[](Ground& g) { return g.descriptor("add"); }, "from_arr"},
};
constexpr Site kObjects[] = {
    {whole, "dma_queue"},
    {whole, "cc_streams"},
    {whole, "fp8_conversion_config"},
    {[](Ground& g) { return g.queue("dynamic"); }, "dynamic_dma"},
};

// The object of one site, chosen again on the copy: the choice is kept in the place itself, as the
// site's index behind the pointer, because prepare and defect share nothing else.
template <std::size_t N>
At choose(Ground& g, const Site (&sites)[N]) {
  const std::size_t i = g.c.below(N);
  At at = sites[i].object(g);
  at.pointer += "#" + std::to_string(i);
  return at;
}
template <std::size_t N>
void put(Ground& g, At& at, const Site (&sites)[N], Json value) {
  const auto mark = at.pointer.rfind('#');
  const Site& site = sites[std::stoul(at.pointer.substr(mark + 1))];
  at.pointer.erase(mark);
  set(g, at, site.key, std::move(value));
}

Json no_unsigned(Ground& g) {
  switch (g.c.below(6)) {
    case 0: return -1;
    case 1: return 5.0;
    case 2: return true;
    case 3: return "5";
    case 4: return nullptr;
    default: return 1.5;
  }
}

const Kind kKinds[] = {
    {{"u64-of-another-type", Reason::not_an_integer}, kAny, [](Ground& g) { return choose(g, kUnsigned64); },
     [](Ground& g, At& at) { put(g, at, kUnsigned64, no_unsigned(g)); }},
    {{"u32-of-another-type", Reason::not_an_integer}, kAny, [](Ground& g) { return choose(g, kUnsigned32); },
     [](Ground& g, At& at) { put(g, at, kUnsigned32, no_unsigned(g)); }},
    {{"u8-of-another-type", Reason::not_an_integer}, kAny, [](Ground& g) { return choose(g, kUnsigned8); },
     [](Ground& g, At& at) { put(g, at, kUnsigned8, no_unsigned(g)); }},
    {{"step-out-of-range", Reason::not_an_integer}, kAny, copy,
     [](Ground& g, At& at) {
       g.at(at)["from_steps"][0] = std::uint64_t{1} << 63;
       at = at / "from_steps" / std::size_t{0};
     }},
    {{"u32-too-wide", Reason::integer_too_wide}, kAny, [](Ground& g) { return choose(g, kUnsigned32); },
     [](Ground& g, At& at) { put(g, at, kUnsigned32, (std::uint64_t{1} << 32) + g.c.below(2)); }},
    {{"u8-too-wide", Reason::integer_too_wide}, kAny, [](Ground& g) { return choose(g, kUnsigned8); },
     [](Ground& g, At& at) { put(g, at, kUnsigned8, 256 + g.c.below(2)); }},
    {{"no-boolean", Reason::not_a_boolean}, kAny, [](Ground& g) { return choose(g, kBooleans); },
     [](Ground& g, At& at) {
       switch (g.c.below(3)) {
         case 0: return put(g, at, kBooleans, 0);
         case 1: return put(g, at, kBooleans, 1);
         default: return put(g, at, kBooleans, "true");
       }
     }},
    {{"null-for-string", Reason::null_value}, kAny, [](Ground& g) { return choose(g, kStrings); },
     [](Ground& g, At& at) { put(g, at, kStrings, nullptr); }},
    {{"null-for-array", Reason::null_value}, kAny, [](Ground& g) { return choose(g, kArrays); },
     [](Ground& g, At& at) { put(g, at, kArrays, nullptr); }},
    {{"null-for-object", Reason::null_value}, kAny, [](Ground& g) { return choose(g, kObjects); },
     [](Ground& g, At& at) { put(g, at, kObjects, nullptr); }},
    {{"string-of-another-type", Reason::wrong_type}, kAny, [](Ground& g) { return choose(g, kStrings); },
     [](Ground& g, At& at) { put(g, at, kStrings, g.c.chance(50) ? Json(7) : Json::array()); }},
    {{"array-of-another-type", Reason::wrong_type}, kAny, [](Ground& g) { return choose(g, kArrays); },
     [](Ground& g, At& at) { put(g, at, kArrays, g.c.chance(50) ? Json("[]") : Json::object()); }},
    {{"object-of-another-type", Reason::wrong_type}, kAny, [](Ground& g) { return choose(g, kObjects); },
     [](Ground& g, At& at) { put(g, at, kObjects, g.c.chance(50) ? Json(1) : Json::array()); }},
    {{"nul-in-string", Reason::nul_in_string}, kAny, [](Ground& g) { return choose(g, kStrings); },
     [](Ground& g, At& at) { put(g, at, kStrings, std::string("in\0put", 6)); }},
    {{"nul-in-name", Reason::nul_in_string}, kAny,
     [](Ground& g) {
       const bool variable = g.c.chance(50);
       return variable ? g.variable("tmp-buf") : g.queue("data");
     },
     [](Ground& g, At& at) {
       // The same entry under a name with a NUL, and its own id where it has one.
       const auto slash = at.pointer.rfind('/');
       const At all{at.member, at.pointer.substr(0, slash)};
       const std::string name("a\0b", 3);
       const Json entry = g.at(at);
       g.at(all).erase(Json::json_pointer(at.pointer.substr(slash)).back());
       g.at(all)[name] = entry;
       at = all / name;
     }},
};

}  // namespace

std::span<const Kind> json_kinds() { return kKinds; }

}  // namespace assay::harness::near_misses
