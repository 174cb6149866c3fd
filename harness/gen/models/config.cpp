// SPDX-License-Identifier: Apache-2.0
#include "harness/gen/models/parts.h"

namespace assay::harness::models {
namespace {

void add_carveouts(Graph& g) {
  Choices& c = g.c;
  const bool optional = g.target != ArchType::CAYMAN || g.allow_legacy;  // SBC-002
  if (optional && rarely(c, 50)) return;
  Json& list = g.def["runtime_statebuffer_reservation"] = Json::array();
  for (std::uint32_t n = few(c, 0, 4); n > 0; --n) {
    const bool usual = rarely(c, 40);  // what later stages want (SBC-004)
    Json r = Json::object();
    r["type"] = "evtaccel";
    r["offset"] = usual ? 229368 : any_u64(c);
    r["size"] = usual ? 8 : any_u64(c);
    r["base_partition"] = usual ? 0 : any_u64(c);
    r["partitions"] = usual ? 128 : any_u64(c);
    add_noise(c, r);
    list.push_back(std::move(r));
  }
}

void add_streams(Graph& g) {
  Choices& c = g.c;
  if (rarely(c, 30)) {
    Json& s = g.def["cc_streams"] = Json::object();
    if (rarely(c, 75)) s["num_streams"] = any_u64(c);
    add_noise(c, s);
    add_unread(c, g.def, {"num_streams"}, 20);  // beside cc_streams it is not read
  } else if (rarely(c, 30)) {
    g.def["num_streams"] = any_u64(c);
  }
}

void add_fp8(Graph& g) {
  Choices& c = g.c;
  if (!rarely(c, 35)) return;
  Json& f = g.def["fp8_conversion_config"] = Json::object();
  for (const char* key : {"fp8_range_extension", "ocp_sat", "fp8_sis", "fp8_sns"})
    if (rarely(c, 60)) f[key] = rarely(c, 65);
  for (const char* key : {"emax_fp8_e4m3", "emax_fp8_e5m2"})
    if (rarely(c, 60)) f[key] = any_u32(c);
  add_noise(c, f);
}

}  // namespace

void add_config(Graph& g) {
  add_carveouts(g);
  add_streams(g);
  add_fp8(g);
}

}  // namespace assay::harness::models
