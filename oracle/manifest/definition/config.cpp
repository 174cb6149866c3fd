// SPDX-License-Identifier: Apache-2.0
// The two small configuration sections: state-buffer carveouts and the fp8 conversion.
#include <fmt/format.h>

#include "oracle/manifest/definition/definition.h"

namespace assay::definition {
namespace {

Result<kbin_sb_carveout_t> read_carveout(const Node& node) {
  ASSAY_TRY(node.expect(JsonType::object));
  const Keys<CarveoutKey> k(node);
  ASSAY_TRY(require(k,
                    {CarveoutKey::type_, CarveoutKey::offset_, CarveoutKey::size_,
                     CarveoutKey::base_partition_, CarveoutKey::partitions_},
                    Reason::carveout_key_missing));
  ASSAY_TRY_LET(text, k[CarveoutKey::type_].string());
  const auto type = match_CarveoutTypeName(text);
  if (!type) return k[CarveoutKey::type_].refuse(Reason::carveout_type, fmt::format("\"{}\"", text));
  ASSAY_TRY_LET(offset, k[CarveoutKey::offset_].integer<std::uint64_t>());
  ASSAY_TRY_LET(size, k[CarveoutKey::size_].integer<std::uint64_t>());
  ASSAY_TRY_LET(base, k[CarveoutKey::base_partition_].integer<std::uint64_t>());
  ASSAY_TRY_LET(partitions, k[CarveoutKey::partitions_].integer<std::uint64_t>());
  return kbin_sb_carveout_t{static_cast<std::uint32_t>(*type), 0, offset, size, base, partitions};
}

}  // namespace

Result<> read_carveouts(Context& c, const Def& def) {
  if (!def.has(DefKey::runtime_statebuffer_reservation_)) {
    if (c.target == ArchType::CAYMAN && !c.options.allow_legacy)
      return def.node().refuse(Reason::carveout_missing);
    return {};
  }
  const Node list = def[DefKey::runtime_statebuffer_reservation_];
  ASSAY_TRY(list.expect(JsonType::array));
  auto& carveouts = c.out.carveouts.emplace();
  return for_each_element(list, [&](const Node& item) -> Result<> {
    ASSAY_TRY_LET(carveout, read_carveout(item));
    carveouts.push_back(carveout);
    return {};
  });
}

Result<> read_fp8(Context& c, const Def& def) {
  kbin_fp8_conv_cfg_t& cfg = c.out.fp8;
  if (def.has(DefKey::fp8_conversion_config_)) {
    const Node node = def[DefKey::fp8_conversion_config_];
    ASSAY_TRY(node.expect(JsonType::object));
    const Keys<Fp8Key> k(node);
    ASSAY_TRY_LET(range, k.boolean_or(Fp8Key::fp8_range_extension_, false));
    ASSAY_TRY_LET(e4m3, k.integer_or<std::uint32_t>(Fp8Key::emax_fp8_e4m3_, 0));
    ASSAY_TRY_LET(e5m2, k.integer_or<std::uint32_t>(Fp8Key::emax_fp8_e5m2_, 0));
    ASSAY_TRY_LET(sat, k.boolean_or(Fp8Key::ocp_sat_, false));
    ASSAY_TRY_LET(sis, k.boolean_or(Fp8Key::fp8_sis_, false));
    ASSAY_TRY_LET(sns, k.boolean_or(Fp8Key::fp8_sns_, false));
    cfg.fp8_range_extension = range;
    cfg.emax_fp8_e4m3 = e4m3;
    cfg.emax_fp8_e5m2 = e5m2;
    cfg.ocp_sat = sat;
    cfg.sis = sis;
    cfg.sns = sns;
  }
  const Fp8Overrides& o = c.options.fp8;
  cfg.fp8_range_extension = o.fp8_range_extension.value_or(cfg.fp8_range_extension);
  cfg.emax_fp8_e4m3 = o.emax_fp8_e4m3.value_or(cfg.emax_fp8_e4m3);
  cfg.emax_fp8_e5m2 = o.emax_fp8_e5m2.value_or(cfg.emax_fp8_e5m2);
  cfg.ocp_sat = o.ocp_sat.value_or(cfg.ocp_sat);
  cfg.sis = o.fp8_sis.value_or(cfg.sis);
  cfg.sns = o.fp8_sns.value_or(cfg.sns);
  return {};
}

}  // namespace assay::definition
