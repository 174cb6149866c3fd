// SPDX-License-Identifier: Apache-2.0
// The invariant catalogue: every property by name, the requirements it can name, the kind of case
// it judges and a generator of such cases. Who runs a property (gtest, RapidCheck, a fuzz target,
// certification, replay) is not its business.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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
struct TextCase {
  Model model;                   // lowers
  std::string definition;        // member path of the document that is spelled anew
  std::uint64_t seed = 0;        // of the spelling: RandomChoices(seed) over the document
  std::string text;              // in place of that member
  std::optional<Reason> reason;  // none: must mean the same; else must be refused for it
  std::string kind;              // of a misspelling
};
struct ImageCase {
  Buffer image;  // valid
};
struct CorruptionCase {
  Buffer valid;  // the twin
  Corruption corruption;
};
struct NeffCase {
  Neff neff;  // container bytes, valid or with one defect
};
struct DtypeCase {
  DtypeRequest request;
};
using Case = std::variant<ModelCase, NearMissCase, TextCase, ImageCase, CorruptionCase, NeffCase, DtypeCase>;
// In the order of the variant.
enum class CaseKind : std::uint8_t { model, near_miss, text, image, corruption, neff, dtype };
inline CaseKind kind_of(const Case& c) { return static_cast<CaseKind>(c.index()); }
std::string_view name_of(CaseKind kind);  // "model", "near-miss", "text" ...

// A few words on what a case is, for distributions: its kind's name first, then such as a near-miss's
// kind, the target, "graphs 2". Each is kebab-case or a word and a number.
std::vector<std::string> labels_of(const Case& c);
// Cases own buffers and are not copied by accident.
Case copy_of(const Case& c);

struct Property {
  std::string_view name;                           // kebab-case, stable: "ninstr-is-bytes-over-64"
  std::span<const std::string_view> requirements;  // every id its verdicts can name
  CaseKind kind;
  std::uint32_t weight;       // its share of a run's cases, 1 for most
  Case (*generate)(Choices&); // biased towards what the property looks at
  Verdict (*check)(const Subject&, const Case&);  // of a case of this kind

  // The verdict, its violations named after the property. Never prints, throws std::bad_alloc at most; cannot_say for
  // a case of another kind.
  Verdict judge(const Subject& subject, const Case& c) const;
};

// While it lives, this thread's properties on a model or dtype case (that very object, unchanged) share
// one answer a question and subject: who judges many properties of one case asks once.
class Asked;
class AskOnce {
 public:
  explicit AskOnce(const Case& c);
  // Of a model's case, with its members as to_members gives them and the images that the oracle gives of its graphs.
  AskOnce(const Case& c, Members members, std::vector<Buffer> images);
  ~AskOnce();
  AskOnce(const AskOnce&) = delete;
  AskOnce& operator=(const AskOnce&) = delete;

 private:
  friend std::shared_ptr<const Asked> ask_about(const Model& model);
  friend std::shared_ptr<const Reply<DtypeAnswer>> ask_dtype(const Subject& subject, const DtypeRequest& request);
  struct Dtypes {
    const Subject* subject;
    std::shared_ptr<const Reply<DtypeAnswer>> reply;
  };
  const Case* case_;
  std::shared_ptr<const Asked> asked_;  // of a model
  std::vector<Dtypes> dtypes_;
  AskOnce* outer_;
};

std::span<const Property> properties();
const Property* find_property(std::string_view name);

}  // namespace assay::harness
