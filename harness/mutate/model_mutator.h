// SPDX-License-Identifier: Apache-2.0
// Edits of models for fuzzing: each changes one thing, by the tables of keys, enums and matchers, so
// that a model that lowers mostly still does (about nine times in ten), and now and then breaks one
// on purpose. Models may be valid or not. Sizes are those of the byte form (model_bytes.h).
#pragma once

#include <cstddef>

#include "harness/choice/choices.h"
#include "harness/gen/model.h"

namespace assay::harness {

inline constexpr std::size_t kNoLimit = ~std::size_t{0};

// One edit. False, and the model as it was, where none was found. A model of at most `max_bytes`
// stays so; of a longer one a part goes instead, as often as it takes.
bool mutate(Choices& c, Model& model, std::size_t max_bytes = kNoLimit);

// Puts a part of `other` into the model: a section, variable, queue, block, descriptor, engine or
// sub-graph, with the members it names. The same promise.
bool cross_over(Choices& c, Model& model, const Model& other, std::size_t max_bytes = kNoLimit);

// A step of the reducer, anywhere: the model gets smaller or plainer, and is mostly valid if it was.
bool smaller(Choices& c, Model& model);

// One member edited as text and kept as the bytes that it then is, so that what no document can hold
// stands in one: duplicate keys, other spellings, white space, trailing bytes. False: nothing changed.
bool mutate_member_text(Choices& c, Model& model);

}  // namespace assay::harness
