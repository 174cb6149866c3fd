// SPDX-License-Identifier: Apache-2.0
// The invariant catalogue: every property by name, the requirements it can name, the kind of case
// it judges and a generator of such cases. Who runs a property (gtest, RapidCheck, a fuzz target,
// certification, replay) is not its business.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "harness/choice/choices.h"
#include "harness/gen/gen.h"
#include "harness/properties/verdict.h"
#include "harness/subject/subject.h"

namespace assay::harness {

struct ModelCase {
  Model model;  // lowers
};
struct NearMissCase {
  NearMiss miss;
};
struct ImageCase {
  Buffer image;  // valid
};
struct CorruptionCase {
  Buffer valid;           // the twin
  Corruption corruption;
};
struct TextCase {
  Model model;             // lowers
  std::string definition;  // member path of the document that is spelled anew
  std::string text;        // in place of that member
  std::optional<Reason> reason;  // none: must mean the same; else must be refused
};
struct DtypeCase {
  DtypeRequest request;
};
using Case = std::variant<ModelCase, NearMissCase, ImageCase, CorruptionCase, TextCase, DtypeCase>;
enum class CaseKind : std::uint8_t { model, near_miss, image, corruption, text, dtype };

struct Property {
  std::string_view name;                             // kebab-case, stable: "ninstr-is-bytes-over-64"
  std::span<const std::string_view> requirements;    // every id its verdicts can name
  CaseKind kind;
  Case (*generate)(Choices&);                        // biased towards what the property looks at
  // Never throws, never prints; cannot_say for a case of another kind.
  Verdict (*check)(const Subject&, const Case&);
};

std::span<const Property> properties();
const Property* find_property(std::string_view name);

}  // namespace assay::harness
