// SPDX-License-Identifier: Apache-2.0
// Parts of one model put into another, so that what they name is there: variables by new ids, members
// by new names where theirs are taken, blocks and descriptors on what the model has. A model may be
// given parts of a fresh one this way as well as of another in a corpus.
#pragma once

#include "harness/mutate/models/key_rules.h"

namespace assay::harness::mutating {

// The model that parts come from: read, never changed.
struct Donor {
  explicit Donor(const Model& of);
  const Model& model;
  Places places;
};

// A whole small model of the same target, made now.
Model fresh_model(Choices& c, const Model& like);

bool adopt_any(Edit& e, Donor& donor);
// One section of def.json, by its key: "var" and "dma_queue" get one more entry, "dma" one more
// block, others are replaced.
bool adopt_section(Edit& e, Donor& donor, std::size_t graph, std::string_view key);
bool adopt_descriptor(Edit& e, Donor& donor);
bool adopt_graph(Edit& e, Donor& donor);

// What a sub-graph must and must not have for the target the model has now.
void suit_target(const Model& model, Json& def);

}  // namespace assay::harness::mutating
