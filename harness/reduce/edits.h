// SPDX-License-Identifier: Apache-2.0
// The kinds of edits that are more than one value's: what they drop or rename has references. Each
// changes nothing and says false where the model has no such part.
#pragma once

#include "harness/reduce/reduce.h"
#include "harness/reduce/references.h"

namespace assay::harness::reduce {

bool drop_members(Model& model, const std::vector<std::string>& names);
bool drop_graphs(Model& model, const std::vector<std::string>& names);
bool drop_variables(Model& model, const std::string& definition, const std::vector<std::string>& names);
// `names`: gone, instead, gone, instead ...
bool merge_variables(Model& model, const std::string& definition, const std::vector<std::string>& names);
bool drop_queues(Model& model, const std::string& definition, const std::vector<std::string>& names);

// `names`: old, new, old, new ...; all at once, so that names may change places. False where two
// would end with one name.
bool rename_members(Model& model, const std::vector<std::string>& names);
bool rename_variables(Model& model, const std::string& definition, const std::vector<std::string>& names);
bool rename_queues(Model& model, const std::string& definition, const std::vector<std::string>& names);
bool rename_act_sets(Model& model, const std::string& definition, const std::vector<std::string>& names);

// Gives a raw member other bytes. Where a variable declares the size of its file, and it was right,
// it stays right.
bool replace_bytes(Model& model, const std::string& member, std::string bytes);

// The array that goes element by element with the one at `pointer` (steps with sizes), or "".
std::string companion_of(const Json& document, std::string_view pointer);

}  // namespace assay::harness::reduce
