// SPDX-License-Identifier: Apache-2.0
// Implementations that are wrong in exactly one way each: what a suite of properties must tell from
// the oracle, naming the one requirement. A mutant stands in front of another subject and edits its
// requests, answers or tables; the oracle itself has no switch and knows nothing of them. They are
// no model of what real implementations get wrong, and no mutant is wrong in two ways.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "harness/gen/model.h"
#include "harness/subject/subject.h"
#include "oracle/tree/tree.h"

namespace assay::harness {

namespace wrong {
class Records;
class Source;
}  // namespace wrong

// ---- the ways to be wrong; what finds nothing to edit leaves the answer as it was ----

// A lowering, or a decoding, that the mutant's requirement refuses is accepted.
struct LaxLowering {};
struct LaxDecoding {};
// The second of two equal `lower` requests in a row has another answer.
struct Unsteady {};
// Answers to `dtype`.
using DtypeEdit = void (*)(const DtypeRequest& request, DtypeAnswer& answer);
// Graph inputs and outputs of an answer to `lower_neff`.
using IoEdit = void (*)(GraphIo& io);
// The four below: every image of an answer to `lower` or `lower_neff`. False: nothing was changed.
using FieldEdit = bool (*)(wrong::Records& records);  // values in place, sizes stay
using TreeEdit = bool (*)(Tree& tree, const wrong::Source& source);
using LayoutEdit = std::optional<Buffer> (*)(ByteView image);  // a valid one
// The document is a def.json or an engine's member, before it is lowered.
struct DocumentEdit {
  std::string_view needs;  // a word in the text without which there is nothing to edit
  bool (*edit)(Json& document);
};
using Edit = std::variant<LaxLowering, LaxDecoding, Unsteady, DtypeEdit, IoEdit, FieldEdit, TreeEdit, LayoutEdit,
                          DocumentEdit>;

struct Mutant {
  std::string_view id;           // requirement first: "VAR-031-name-order"
  std::string_view requirement;  // "VAR-031"
  std::string_view what;         // what it gets wrong, one line
  Edit edit;
};

// Every mutant, in the order of the requirements' areas. Ids are unique and stable; a requirement may
// have several.
std::span<const Mutant> mutants();
const Mutant* find_mutant(std::string_view id);

// The mutant in front of `base`, which must be right; both arguments must outlive it. Its answers are those of base
// wherever its edit touches nothing.
std::unique_ptr<Subject> make_mutant(const Mutant& mutant, const Subject& base);

}  // namespace assay::harness
