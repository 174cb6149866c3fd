// SPDX-License-Identifier: Apache-2.0
// Edits that are more than one value's: parts of a model doubled, left out or renamed, with what
// refers to them; bytes of blobs; options; and faults. Each says false, and has changed nothing that
// counts, where the model has no such part.
#pragma once

#include "harness/mutate/models/key_rules.h"

namespace assay::harness::mutating {

// A sub-graph to edit, or kNoGraph where there is none.
std::size_t any_graph(Edit& e);

bool drop_variable(Edit& e, std::size_t graph);  // never the last output
bool twice_variable(Edit& e, std::size_t graph);
bool drop_queue(Edit& e, std::size_t graph);
bool twice_queue(Edit& e, std::size_t graph);
bool drop_graph(Edit& e);
bool twice_graph(Edit& e);     // one definition, two names
bool twice_block(Edit& e);     // into any list of the sub-graph
bool twice_descriptor(Edit& e);
bool rename_any(Edit& e);      // a variable, queue, set or member, with every reference
bool rename_member(Edit& e, const std::string& path);
bool drop_unreached(Edit& e);  // members that nothing leads to
bool change_blob(Edit& e);     // longer, shorter, other bytes; a declared size follows
bool change_options(Edit& e);
bool add_noise(Edit& e);       // a key that no object reads

bool fault(Edit& e);           // what a lowering mostly refuses; faults.cpp

// A name like the old one or a fresh one, unlike every key of `taken`.
std::string new_key(Choices& c, const std::string& old, const Json& taken);

}  // namespace assay::harness::mutating
