// SPDX-License-Identifier: Apache-2.0
// Defects of compute and transpose descriptors.
#include "harness/gen/near_misses/ground.h"
#include "oracle/dtype/dtype.h"

namespace assay::harness::near_misses {
namespace {

constexpr std::nullopt_t kAny = std::nullopt;

void set(Ground& g, At& at, const char* key, Json value) {
  g.at(at)[key] = std::move(value);
  at = at / key;
}
At a_compute(Ground& g) {
  static constexpr const char* kOps[] = {"fma", "add", "min", "max"};
  return g.descriptor(g.c.pick(kOps));
}
At an_fma(Ground& g) { return g.descriptor("fma"); }
At a_min_max(Ground& g) {
  const At at = g.descriptor(g.c.chance(50) ? "min" : "max");
  g.at(at)["constant"] = 1;
  g.at(at)["constant_dtype"] = "int32";
  return at;
}
At a_transpose(Ground& g) {
  const At at = g.descriptor("transpose");
  g.at(at)["transpose_op"] = "WXYZ";
  g.at(at)["transpose_shape"] = {1, 2, 3, 4};
  return at;
}
// Repeats the first source until there are n.
void repeat_sources(Ground& g, At& at, std::size_t n) {
  Json& sources = g.at(at)["from_arr"];
  const Json first = sources[0];
  while (sources.size() < n) sources.push_back(first);
  at = at / "from_arr";
}

const Kind kKinds[] = {
    {{"from-arr-absent", Reason::from_arr_missing}, kAny, a_compute,
     [](Ground& g, At& at) { g.at(at).erase("from_arr"); }},
    {{"sources-none", Reason::source_count}, kAny, a_compute,
     [](Ground& g, At& at) { set(g, at, "from_arr", Json::array()); }},
    {{"fma-sources-over-limit", Reason::source_count}, kAny, an_fma,
     [](Ground& g, At& at) { repeat_sources(g, at, max_fma_sources(code(g.target)) + 1); }},
    {{"sources-33", Reason::source_count}, kAny, a_compute, [](Ground& g, At& at) { repeat_sources(g, at, 33); }},
    {{"source-dtype-absent", Reason::pattern_dtype_missing}, kAny, a_compute,
     [](Ground& g, At& at) {
       at = at / "from_arr" / std::size_t{0};
       g.at(at).erase("from_dtype");
     }},
    {{"destination-dtype-absent", Reason::pattern_dtype_missing}, kAny, a_compute,
     [](Ground& g, At& at) { g.at(at).erase("to_dtype"); }},
    {{"source-dtype-unknown", Reason::desc_dtype_unknown}, kAny, a_compute,
     [](Ground& g, At& at) {
       at = at / "from_arr" / std::size_t{0};
       set(g, at, "from_dtype", g.c.chance(50) ? "float8_e5m2" : "int4");
     }},
    {{"source-variable-unknown", Reason::desc_variable_unknown}, kAny, a_compute,
     [](Ground& g, At& at) {
       at = at / "from_arr" / std::size_t{0};
       set(g, at, "from", "no such variable");
     }},
    {{"scale-dtype-unknown", Reason::desc_dtype_unknown}, kAny, an_fma,
     [](Ground& g, At& at) { set(g, at, "scale_dtype", "fp32"); }},
    {{"scale-dtype-other", Reason::scale_dtype}, kAny, an_fma,
     [](Ground& g, At& at) {
       static constexpr const char* kOther[] = {"float16", "float32r", "bfloat16", "int32"};
       if (g.c.chance(50)) at = at / "from_arr" / std::size_t{0};
       set(g, at, "scale_dtype", g.c.pick(kOther));
     }},
    {{"scale-not-finite", Reason::scale_range}, kAny, an_fma,
     [](Ground& g, At& at) {
       // The smallest double that rounds to infinity, and far beyond.
       static constexpr double kWrong[] = {0x1.ffffffp127, -0x1.ffffffp127, 1e300};
       if (g.c.chance(50)) at = at / "from_arr" / std::size_t{0};
       set(g, at, "scale", g.c.pick(kWrong));
     }},
    {{"scale-null", Reason::null_value}, kAny, an_fma,
     [](Ground& g, At& at) {
       if (g.c.chance(50)) at = at / "from_arr" / std::size_t{0};
       set(g, at, "scale", nullptr);
     }},
    {{"scale-no-number", Reason::wrong_type}, kAny, an_fma,
     [](Ground& g, At& at) {
       if (g.c.chance(50)) at = at / "from_arr" / std::size_t{0};
       set(g, at, "scale", g.c.chance(50) ? Json("1.0") : Json(true));
     }},
    {{"constant-absent", Reason::constant_missing}, kAny, a_min_max,
     [](Ground& g, At& at) { g.at(at).erase("constant"); }},
    {{"constant-dtype-other", Reason::constant_dtype}, kAny, a_min_max,
     [](Ground& g, At& at) {
       static constexpr const char* kOther[] = {"", "float16", "int64", "uint8", "float8_e4m3fn_x4"};
       set(g, at, "constant_dtype", g.c.pick(kOther));
     }},
    {{"constant-out-of-range", Reason::constant_range}, kAny, a_min_max,
     [](Ground& g, At& at) {
       static constexpr std::int64_t kWrong[] = {2147483648, -2147483649, 4294967296};
       set(g, at, "constant", g.c.pick(kWrong));
     }},
    {{"constant-out-of-unsigned-range", Reason::constant_range}, kAny,
     [](Ground& g) {
       const At at = a_min_max(g);
       g.at(at)["constant_dtype"] = "uint32";
       return at;
     },
     [](Ground& g, At& at) {
       switch (g.c.below(3)) {
         case 0: return set(g, at, "constant", -1);
         case 1: return set(g, at, "constant", 4294967296);
         default: return set(g, at, "constant", 1.5);
       }
     }},
    {{"transpose-shape-length", Reason::transpose_shape}, kAny, a_transpose,
     [](Ground& g, At& at) { set(g, at, "transpose_shape", Json(std::vector<int>(g.c.chance(50) ? 3 : 5, 1))); }},
    {{"transpose-op-letters", Reason::transpose_op}, kAny, a_transpose,
     [](Ground& g, At& at) {
       static constexpr const char* kWrong[] = {"", "WXY", "WXYY", "wxyz", "WXYZ ", "ABCD"};
       set(g, at, "transpose_op", g.c.pick(kWrong));
     }},
};

}  // namespace

std::span<const Kind> descriptor_kinds() { return kKinds; }

}  // namespace assay::harness::near_misses
