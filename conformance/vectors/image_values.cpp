// SPDX-License-Identifier: Apache-2.0
// Drafts of decode: images whose numbers have their top bit, or all bits, set, so that one read as signed, cut or
// through a double is seen; floats are bits, those of NaNs and of -0 too.
#include <fmt/format.h>

#include "conformance/vectors/draft.h"
#include "conformance/vectors/image_scenes.h"
#include "harness/mutate/raw_image.h"
#include "oracle/image/image.h"

namespace assay::conformance::vectors {
namespace {

struct SceneRows {
  const char* scene;
  std::vector<std::string> rows;
};

std::vector<SceneRows> scene_rows() {
  return {{"bare", {"LAY-002", "LAY-026", "LAY-010"}},
          {"variables", {"LAY-011", "LAY-012"}},
          {"queue", {"LAY-004"}},
          {"copy", {"LAY-009", "LAY-006"}},
          {"fma", {"LAY-007"}},
          {"min", {"LAY-007"}},
          {"act", {"LAY-013"}},
          {"parts", {"LAY-018", "LAY-020", "LAY-024", "LAY-025"}}};
}

// -0, NaNs quiet and signalling, of either sign and with payloads, the smallest, the infinities, the largest.
constexpr std::uint32_t kFloats[] = {0x80000000, 0x7FC00001, 0x7F800001, 0xFFC12345, 0x00000001,
                                     0x80000001, 0x7F800000, 0xFF800000, 0x7F7FFFFF};

// Whether the image holds for one value of the field only.
bool is_bound(const FieldVisit& v, ByteView image) {
  if (v.field == nullptr) return false;
  const Field& f = *v.field;
  if (f.enumeration != EnumId::none || f.type == FieldType::boolean) return true;
  if (v.in.id == RecordId::kbin_engine_t && f.name == "ninstr") return true;
  if (v.in.id == RecordId::kbin_mem_ref && f.name == "var_id") return true;
  if (v.in.tail.count_field == f.name) return true;
  for (const Field& other : v.in.fields) {
    if (other.used_by == f.name) return true;
    if (other.count_field != f.name) continue;
    if (other.null != Nullability::counted_buffer) return true;
    const auto type = load<std::uint32_t>(image.data() + (v.offset - f.offset));
    if (type == static_cast<std::uint32_t>(code(MrType::MR_BUFFER))) return true;
  }
  return false;
}

}  // namespace

std::vector<Draft> image_value_drafts() {
  std::vector<Draft> out;
  for (const Scene& scene : image_scenes())
    for (const SceneRows& of : scene_rows())
      for (const bool ones : {false, true}) {
        if (of.scene != scene.name) continue;
        Buffer image(scene.image.view());
        const auto view = decode(scene.image.view());
        std::uint64_t n = 0;
        walk(*view, [&](const FieldVisit& v) {
          if (v.is_bytes || v.is_null || v.type == FieldType::chars || is_bound(v, view->bytes())) return;
          const std::size_t width = v.raw.size();
          std::uint64_t value = ones ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width - 1)) + n % 100;
          if (v.type == FieldType::f32) value = kFloats[(n + (ones ? 1 : 0)) % std::size(kFloats)];
          for (std::size_t i = 0; i < width; ++i)
            image.data()[v.offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
          ++n;
        });
        harness::repair_checksum(image);
        Draft d;
        d.id = fmt::format("{}/{}-{}", of.rows[0], scene.name, ones ? "all-ones" : "top-bits");
        d.rows = of.rows;
        d.say = fmt::format("{} numbers with {} set keep their bits.", n, ones ? "all bits" : "the top bit");
        d.op = Op::decode;
        d.request = decode_request(image.view());
        out.push_back(std::move(d));
      }
  return out;
}

}  // namespace assay::conformance::vectors
