// SPDX-License-Identifier: Apache-2.0
// The catalogue: one row a property.
#include <algorithm>
#include <deque>
#include <exception>
#include <new>

#include "harness/compare/compare.h"
#include "harness/properties/checks.h"

namespace assay::harness {
namespace {

using Ids = std::vector<std::string_view>;

void sort_unique(Ids& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

// The rows of every reason that some kind of defect is refused for.
template <class Kinds>
Ids rows_of(const Kinds& kinds) {
  Ids ids;
  for (const auto& kind : kinds) ids.push_back(row_of(kind.reason).requirement);
  sort_unique(ids);
  return ids;
}

Ids rows_of_neffs() {
  Ids ids = {"CON-008", "CON-009", "CON-011", "CON-012", "CON-013", "CON-014", "CON-015"};
  for (const NeffKind& kind : neff_kinds())
    if (kind.reason) ids.push_back(row_of(*kind.reason).requirement);
  sort_unique(ids);
  return ids;
}

Ids rows_of_texts() {
  Ids ids;
  for (const ReasonRow& row : kReasons)
    if (row.requirement.substr(0, 3) == "JSN") ids.push_back(row.requirement);
  sort_unique(ids);
  return ids;
}

Ids rows_of_fields() {
  Ids ids;
  for (int i = 2; i <= 26; ++i) {
    static std::deque<std::string> names;  // views must stay
    names.push_back(std::string("LAY-0") + (i < 10 ? "0" : "") + std::to_string(i));
    ids.push_back(names.back());
  }
  return ids;
}

struct Row {
  std::string_view name;
  Ids requirements;
  CaseKind kind;
  std::uint32_t weight;
  Case (*generate)(Choices&);
  Verdict (*check)(const Subject&, const Case&);
};

std::vector<Row> make_rows() {
  using namespace checks;
  const Ids images = rows_of_images();
  return {
      {"lowering-agrees", images, CaseKind::model, 10, model, lowering_agrees},
      {"near-miss-refused", rows_of(near_miss_kinds()), CaseKind::near_miss, 40, near_miss, near_miss_refused},
      {"corruption-refused", rows_of(corruption_kinds()), CaseKind::corruption, 10, corruption, corruption_refused},
      {"misspelt-text-refused", rows_of_texts(), CaseKind::text, 8, misspelt, misspelt_refused},
      {"container-as-told", rows_of_neffs(), CaseKind::neff, 8, neff, neff_as_told},
      {"respelled-means-the-same", {"JSN-007", "JSN-012", "LOW-011"}, CaseKind::text, 4, respelled, respelled_means_the_same},
      {"engines-by-name", {"LOW-002", "LOW-012"}, CaseKind::model, 2, model, engines_by_name},
      {"ninstr-is-bytes-over-64", {"LOW-003", "LOW-004"}, CaseKind::model, 2, model, ninstr_and_blob},
      {"ids-dense-and-counts-whole", {"LOW-006", "VAR-031"}, CaseKind::model, 2, model, ids_and_counts},
      {"allocations-exact", {"DMB-041", "LOW-004", "LOW-005"}, CaseKind::model, 1, model, allocations},
      {"dtype-and-shape-as-written", {"VAR-015", "VAR-017", "VAR-018"}, CaseKind::model, 2, model, dtype_and_shape},
      {"queues-by-name", {"DMQ-001", "DMQ-020"}, CaseKind::model, 2, model, queues_by_name},
      {"variables-as-written",
       {"VAR-003", "VAR-007", "VAR-008", "VAR-010", "VAR-011", "VAR-012", "VAR-014", "VAR-019", "VAR-024", "VAR-025", "VAR-030",
        "VAR-032", "VAR-034"},
       CaseKind::model, 2, model, variables_as_written},
      {"queues-as-written",
       {"DMQ-003", "DMQ-005", "DMQ-006", "DMQ-007", "DMQ-008", "DMQ-015", "DMQ-019"},
       CaseKind::model, 2, model, queues_as_written},
      {"blocks-as-written",
       {"DMB-008", "DMB-009", "DMB-010", "DMB-012", "DMB-013", "DMB-014", "DMB-015", "DMB-016", "DMB-038"},
       CaseKind::model, 2, model, blocks_as_written},
      {"descriptor-round-trip", images, CaseKind::model, 4, model, descriptor_round_trip},
      {"deterministic", {"LOW-011"}, CaseKind::model, 1, model, deterministic},
      {"unread-members-change-nothing", {"LOW-011", "SEC-001"}, CaseKind::model, 1, model, unread_members},
      {"renaming-changes-the-name-alone", {"LOW-011", "VAR-031"}, CaseKind::model, 2, model, renamed_variable},
      {"targets-beyond-refused", {"LOW-007", "LOW-008"}, CaseKind::model, 1, model, targets_beyond},
      {"containers-agree", {"CON-008", "LOW-011"}, CaseKind::model, 1, model, containers_agree},
      {"directory-agrees", {"CON-012"}, CaseKind::model, 1, model, directory_agrees},
      {"memory-limit-changes-nothing", {"LOW-010"}, CaseKind::model, 1, model, memory_limit},
      {"io-sizes", {"DT-002", "DT-003", "DT-004", "IO-002", "IO-003", "IO-004", "IO-006"}, CaseKind::model, 3, model, io_sizes},
      {"image-round-trip", {"IMG-001", "IMG-002"}, CaseKind::image, 3, image, image_round_trip},
      {"decoded-fields", rows_of_fields(), CaseKind::image, 2, image, decoded_fields},
      {"dump-is-whole", {"LAY-002"}, CaseKind::image, 1, image, dump_is_whole},
      {"diff-finds-the-edit", {"LAY-002"}, CaseKind::image, 2, image, diff_finds_the_edit},
      {"diff-of-two", {"LAY-002"}, CaseKind::image, 2, image, diff_of_two},
      {"damaged-can-be-shown", {"LAY-002"}, CaseKind::corruption, 2, corruption, damaged_can_be_shown},
      {"dtype-maps", {"DT-001", "DT-002", "DT-003", "DT-006", "DT-008", "DT-009", "DT-010", "DT-011", "DT-012", "DT-013", "DT-014"},
       CaseKind::dtype, 2, dtypes, dtype_maps},
      {"sizes-go-through-sdma-codes", {"DT-013", "DT-014"}, CaseKind::dtype, 1, dtypes, sizes_by_name},
      {"x4-names-are-containers", {"DT-009"}, CaseKind::dtype, 1, dtypes, x4_containers},
  };
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = make_rows();
  return all;
}

}  // namespace

std::span<const Property> properties() {
  static const std::vector<Property> all = [] {
    std::vector<Property> out;
    for (const Row& r : rows()) out.push_back({r.name, r.requirements, r.kind, r.weight, r.generate, r.check});
    return out;
  }();
  return all;
}

const Property* find_property(std::string_view name) {
  for (const Property& p : properties())
    if (p.name == name) return &p;
  return nullptr;
}

Verdict Property::judge(const Subject& subject, const Case& c) const {
  if (kind_of(c) != kind) return Verdict::cannot_say("a case of another kind");
  Verdict v;
  try {
    v = check(subject, c);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {  // a document of another shape than any that lowers
    return Verdict::cannot_say(std::string("the case cannot be read: ") + e.what());
  }
  for (Violation& violation : v.violations) violation.property = name;
  return v;
}

}  // namespace assay::harness
