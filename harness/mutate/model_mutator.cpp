// SPDX-License-Identifier: Apache-2.0
#include "harness/mutate/model_mutator.h"

#include "harness/mutate/model_bytes.h"
#include "harness/mutate/models/adopt.h"
#include "harness/mutate/models/structure.h"
#include "harness/mutate/text_mutator.h"
#include "harness/reduce/reduce.h"

namespace assay::harness {
namespace {

using namespace mutating;

// A key of some object: of any kind of object equally, or of any object.
bool change_key(Edit& e) {
  if (e.places.all.empty()) return false;
  const Place* place = &e.places.all[e.c.below(e.places.all.size())];
  if (e.c.below(2) == 0) {
    std::size_t kinds = 0;
    for (const auto n : e.places.count) kinds += n != 0;
    auto k = e.c.below(kinds);
    std::size_t object = 0;
    while (e.places.count[object] == 0 || k-- != 0) ++object;
    auto i = e.c.below(e.places.count[object]);
    for (const Place& p : e.places.all)
      if (static_cast<std::size_t>(p.object) == object && i-- == 0) place = &p;
    // Manifests have few keys, and a fault in them keeps the lowering from all the others.
    if (place->graph == kNoGraph && e.c.chance(60)) place = &e.places.all[e.c.below(e.places.all.size())];
  }
  if (place->object == Object::Profile) return change_profile(e, *place);
  return change(e, *place, e.c.pick(rules_of(place->object)));
}

bool change_variables(Edit& e) {
  const std::size_t graph = any_graph(e);
  return e.c.below(2) == 0 ? twice_variable(e, graph) : drop_variable(e, graph);
}
bool change_queues(Edit& e) {
  const std::size_t graph = any_graph(e);
  return e.c.below(2) == 0 ? twice_queue(e, graph) : drop_queue(e, graph);
}
bool change_graphs(Edit& e) { return e.c.below(2) == 0 ? twice_graph(e) : drop_graph(e); }
bool fresh_part(Edit& e) {
  const Model model = fresh_model(e.c, e.model);
  Donor donor(model);
  return adopt_any(e, donor);
}

struct Way {
  std::uint32_t weight;
  bool (*edit)(Edit&);
  bool much;  // what it adds may be of any size
};
constexpr Way kWays[] = {
    {60, change_key, false},      {4, change_variables, true}, {3, change_queues, true}, {3, twice_block, true},
    {4, twice_descriptor, true},  {1, change_graphs, true},    {3, rename_any, true},    {5, change_blob, true},
    {2, change_options, false},   {1, add_noise, false},       {5, fresh_part, true},    {1, drop_unreached, false},
    {4, fault, true},
};
constexpr std::uint32_t kWeights = [] {
  std::uint32_t n = 0;
  for (const Way& w : kWays) n += w.weight;
  return n;
}();

struct Done {
  bool changed = false, much = false;
};
Done one_edit(Choices& c, Model& model) {
  // Each try changes nothing when it fails, so that the places hold.
  Places places(model);
  Edit e{c, model, places};
  for (int tries = 0; tries < 12; ++tries) {
    auto at = c.below(kWeights);
    const Way* way = kWays;
    while (at >= way->weight) at -= way++->weight;
    if (way->edit(e)) return {true, way->much || e.much};
  }
  return {};
}

// A step of the reducer, from a pass on and anywhere in it.
bool step_of(Choices& c, Model& model, std::uint32_t pass, std::uint64_t chunk) {
  // Passes and places beyond what there is lead on to the next ones, and from the last to the first.
  Cursor cursor;
  cursor.pass = pass;
  cursor.chunk = chunk;
  cursor.position = c.below(2) << 32 | c.below(64);
  for (int tries = 0; tries < 8; ++tries) {
    const auto edit = next_edit(model, cursor);
    if (!edit) {
      if (cursor.pass == 0) return false;
      cursor = {};
    } else if (apply(*edit, model)) {
      return true;
    }
  }
  return false;
}

// Parts go until the model is small enough; all of them if need be.
void shrink_to(Choices& c, Model& model, std::size_t max_bytes) {
  static constexpr std::uint32_t kLeavingOut[] = {0, 1, 2, 3, 5, 6, 7, 8, 8, 8, 10, 11, 12};
  for (int tries = 0; tries < 64 && size_of(model) > max_bytes; ++tries)
    step_of(c, model, c.pick(kLeavingOut), 1 + c.below(16));
  while (!model.members.empty() && size_of(model) > max_bytes) model.members.erase(std::prev(model.members.end()));
  if (size_of(model) > max_bytes) model.options = {};
}

// An edit that has to keep a size. What one adds is at most kSlack, unless it says that it is much:
// only near the limit is the model kept to go back to.
constexpr std::size_t kSlack = 2048;
template <class F>
bool within(Choices& c, Model& model, std::size_t max_bytes, F edit) {
  if (max_bytes == kNoLimit) return edit().changed;
  const std::size_t before = size_of(model);
  if (before > max_bytes) {
    shrink_to(c, model, max_bytes);
    return true;
  }
  if (max_bytes - before >= kSlack) {
    const Done done = edit();
    if (done.much && size_of(model) > max_bytes) shrink_to(c, model, max_bytes);
    return done.changed;
  }
  const Model kept = model;
  for (int tries = 0; tries < 4; ++tries) {
    if (edit().changed && size_of(model) <= max_bytes) return true;
    model = kept;
  }
  return smaller(c, model) && (size_of(model) <= max_bytes || (model = kept, false));
}

}  // namespace

bool mutate(Choices& c, Model& model, std::size_t max_bytes) {
  return within(c, model, max_bytes, [&] { return one_edit(c, model); });
}

bool cross_over(Choices& c, Model& model, const Model& other, std::size_t max_bytes) {
  return within(c, model, max_bytes, [&]() -> Done {
    Donor donor(other);
    Places places(model);
    Edit e{c, model, places};
    for (int tries = 0; tries < 12; ++tries)
      if (adopt_any(e, donor)) return {true, true};
    return {};
  });
}

bool mutate_member_text(Choices& c, Model& model) {
  if (model.members.empty()) return false;
  auto it = model.members.begin();
  std::advance(it, static_cast<std::ptrdiff_t>(c.below(model.members.size())));
  std::string text = it->second.text();
  if (!mutate_text(c, text, text.size() + 64)) return false;
  model.put_bytes(it->first, std::move(text));
  return true;
}

bool smaller(Choices& c, Model& model) {
  constexpr std::uint64_t kPasses = 19;
  const auto pass = static_cast<std::uint32_t>(c.below(kPasses));
  return step_of(c, model, pass, c.below(2) == 0 ? 0 : 1 + c.below(8));
}

}  // namespace assay::harness
