// SPDX-License-Identifier: Apache-2.0
// Implementations that are wrong in exactly one way each, for every must row of levels D, S, I, L and N that another
// implementation can show: those of the harness (harness/mutants) and, for the rows that those leave out, the ones
// here. They stand before the oracle and edit its requests and answers, or refuse what it takes; the oracle has no
// switch. They know no case of the suite and no verdict.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>
#include <variant>

#include "harness/mutants/mutant.h"
#include "harness/subject/subject.h"

namespace assay::conformance {

// ---- the ways to be wrong that the harness's mutants have not ----

class Documents;  // of a request to lower (tables.h)
// A lowering, also of a graph of a file, that it refuses for no reason of the oracle's.
using RefuseLowering = bool (*)(const Documents& documents);
// A file that it refuses.
using RefuseFile = bool (*)(const harness::LowerNeffRequest& request);
// An image that it refuses to decode.
using RefuseImage = bool (*)(ByteView image);
// The texts of the definition and its engines, before they are lowered: false where nothing was changed.
using TextEdit = bool (*)(std::string& text);
// A refusal of a file that ends with another status.
using CodeEdit = void (*)(const harness::LowerNeffRequest& request, std::optional<std::uint32_t>& code);
// The answer to lower_neff.
using FilesEdit = void (*)(harness::LowerNeffAnswer& answer);
// The fields of a decode answer: a record of which one field is read where another lies.
struct FieldMixup {
  std::string_view record, field, read_at;  // "engine[]", ".ninstr", ".eng_type": patterns over paths, "[]" any index
};
using Wrong = std::variant<RefuseLowering, RefuseFile, RefuseImage, TextEdit, CodeEdit, FilesEdit, FieldMixup>;

struct SuiteMutant {
  std::string_view id;           // requirement first: "SEC-006-instr-required"
  std::string_view requirement;  // "SEC-006"
  std::string_view what;         // what it gets wrong, one line
  std::variant<harness::Edit, Wrong> edit;
  // Would be wrong in every lowering of some area, and so could not show that it is right elsewhere: it is wrong where
  // the definition has an odd number of bytes, and right otherwise and in whole files.
  bool odd_only = false;
};

// All of them, the harness's among them, in the order of the areas' ids. Ids are unique and stable.
std::span<const SuiteMutant> suite_mutants();
const SuiteMutant* find_suite_mutant(std::string_view id);

// The mutant before `base`, which must be right; both must outlive it. Its answers are those of base wherever its
// edit touches nothing.
std::unique_ptr<harness::Subject> make_suite_mutant(const SuiteMutant& mutant, const harness::Subject& base);

}  // namespace assay::conformance
