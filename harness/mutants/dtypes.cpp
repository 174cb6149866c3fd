// SPDX-License-Identifier: Apache-2.0
// Wrong in a dtype table or matcher.
#include <string>

#include "harness/mutants/tables.h"
#include "oracle/dtype/dtype.h"
#include "oracle/dtype/enums.h"

namespace assay::harness::wrong {
namespace {

// Calls f(text, code) for every matched text of one matcher.
template <class F>
void each_match(const DtypeRequest& q, DtypeAnswer& a, bool neff_io, F f) {
  for (std::size_t i = 0; i < q.match.size() && i < a.match.size(); ++i)
    if (q.match[i].neff_io == neff_io) f(q.match[i].text, a.match[i]);
}
// Calls f(argument, code) for every entry of one table.
template <class F>
void each_code(const std::vector<std::int64_t>& q, std::vector<std::optional<std::int64_t>>& a, F f) {
  for (std::size_t i = 0; i < q.size() && i < a.size(); ++i) f(q[i], a[i]);
}

// By kbin code, from 1: the dtype of the same name.
constexpr NrtDtype kSameName[] = {NrtDtype::FP8_E3,   NrtDtype::FP8_E4, NrtDtype::FP8_E5, NrtDtype::FLOAT16,
                                  NrtDtype::FLOAT32,  NrtDtype::FP32R,  NrtDtype::BFLOAT16, NrtDtype::UINT8,
                                  NrtDtype::UINT16,   NrtDtype::UINT32, NrtDtype::UINT64, NrtDtype::INT8,
                                  NrtDtype::INT16,    NrtDtype::INT32,  NrtDtype::INT64};
void in_nrt_codes(const DtypeRequest& q, DtypeAnswer& a) {
  each_match(q, a, false, [](const std::string&, auto& code) {
    if (code && *code >= 1 && *code <= 15) code = assay::code(kSameName[*code - 1]);
  });
}
void folds_case(const DtypeRequest& q, DtypeAnswer& a) {
  each_match(q, a, true, [](std::string text, auto& code) {
    for (char& c : text)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (const auto d = match_NeffIoDtype(text)) code = assay::code(*d);
  });
}
void fp8_has_a_code(const DtypeRequest& q, DtypeAnswer& a) {
  each_match(q, a, true, [](const std::string& text, auto& code) {
    if (text == "float8e3") code = assay::code(NrtDtype::FP8_E3);
    if (text == "float8e4" || text == "float8_e4m3fn") code = assay::code(NrtDtype::FP8_E4);
    if (text == "float8e5") code = assay::code(NrtDtype::FP8_E5);
  });
}
// One string of the def.json matcher becomes another code, or is refused.
template <const char* const& Text>
void matches(const DtypeRequest& q, DtypeAnswer& a, std::optional<Dtype> as) {
  each_match(q, a, false, [&](const std::string& text, auto& code) {
    if (text == Text) code = as ? std::optional<std::int64_t>(assay::code(*as)) : std::nullopt;
  });
}
constexpr const char* kFloat32r = "float32r";
constexpr const char* kE4m3fn = "float8_e4m3fn";
constexpr const char* kE5m2x4 = "float8_e5m2_x4";
constexpr const char* kE5m2 = "float8_e5m2";

void unknown_io_is_empty(GraphIo& io) {
  for (auto* side : {&io.inputs, &io.outputs})
    for (Tensor& t : *side)
      if (t.dtype == NrtDtype::UNKNOWN) t.size = 0;
}

const Mutant kMutants[] = {
    {"DT-001-nrt-codes", "DT-001", "the def.json matcher answers in nrt_dtype_t's codes", &in_nrt_codes},
    {"DT-002-folds-case", "DT-002", "the I/O matcher takes upper case for lower", &folds_case},
    {"DT-003-fp8-known", "DT-003", "the I/O matcher gives the FP8 names their nrt_dtype_t codes", &fp8_has_a_code},
    {"DT-004-unknown-empty", "DT-004", "an UNKNOWN I/O tensor has size 0", &unknown_io_is_empty},
    {"DT-006-no-float32r", "DT-006", "the def.json matcher does not know float32r",
     [](const DtypeRequest& q, DtypeAnswer& a) { matches<kFloat32r>(q, a, std::nullopt); }},
    {"DT-008-alias-other", "DT-008", "float8_e4m3fn is FP8_E3", [](const DtypeRequest& q, DtypeAnswer& a) {
       matches<kE4m3fn>(q, a, Dtype::FP8_E3);
     }},
    {"DT-009-x4-kept", "DT-009", "float8_e5m2_x4 is FP8_E5", [](const DtypeRequest& q, DtypeAnswer& a) {
       matches<kE5m2x4>(q, a, Dtype::FP8_E5);
     }},
    {"DT-010-e5m2-known", "DT-010", "the def.json matcher knows float8_e5m2",
     [](const DtypeRequest& q, DtypeAnswer& a) { matches<kE5m2>(q, a, Dtype::FP8_E5); }},
    {"DT-011-bf16-as-fp16", "DT-011", "kbin_dtype_to_sdma_dtype gives BF16 FP16's code",
     [](const DtypeRequest& q, DtypeAnswer& a) {
       each_code(q.to_sdma, a.to_sdma, [](std::int64_t d, auto& to) {
         if (d == code(Dtype::BF16)) to = code(SdmaDtype::FP16);
       });
     }},
    {"DT-012-min-max-swapped", "DT-012", "kbin_cce_op_to_sdma_cce_op has MIN and MAX the other way round",
     [](const DtypeRequest& q, DtypeAnswer& a) {
       each_code(q.cce_op, a.cce_op, [](std::int64_t op, auto& to) {
         if (op == code(DescOp::MIN)) to = code(CceType::MAX);
         if (op == code(DescOp::MAX)) to = code(CceType::MIN);
       });
     }},
    {"DT-013-kbin-index", "DT-013", "kbin_get_dtype_size indexes data_type_sizes by the kbin code (FP32r apart)",
     [](const DtypeRequest& q, DtypeAnswer& a) {
       // data_type_sizes[n] is the size of the kbin_dtype whose SDMA code is n.
       each_code(q.size, a.size, [](std::int64_t d, auto& size) {
         for (std::int64_t other = 1; other <= 15; ++other)
           if (d != code(Dtype::FP32r) && kbin_dtype_to_sdma_dtype(other) == d) size = kbin_get_dtype_size(other);
       });
     }},
    {"DT-014-fp32r-8", "DT-014", "FP32r has 8 bytes", [](const DtypeRequest& q, DtypeAnswer& a) {
       each_code(q.size, a.size, [](std::int64_t d, auto& size) {
         if (d == code(Dtype::FP32r)) size = 8;
       });
     }},
};

}  // namespace

std::span<const Mutant> dtype_mutants() { return kMutants; }

}  // namespace assay::harness::wrong
