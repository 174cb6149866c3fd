// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "harness/gen/models/parts.h"

namespace assay::harness::models {
namespace {

// A name that no queue lists, for an instance the block makes; now and then one made before.
std::string unlisted_name(Graph& g, QueueNames& q) {
  if (!q.made.empty() && rarely(g.c, 40)) return q.made[g.c.below(q.made.size())];
  std::string name;
  switch (g.c.below(8)) {
    case 6: name = g.queues[g.c.below(g.queues.size())].name; break;  // a queue's name, maybe another's
    case 7: name = text_of(g.c, 254 + static_cast<std::uint32_t>(g.c.below(4))); break;
    default: name = "made_" + any_text(g.c, g.size.text_bytes);
  }
  while (name.empty() || std::find(g.listed.begin(), g.listed.end(), name) != g.listed.end()) name += '+';
  q.made.push_back(name);
  return name;
}

void add_destination(Graph& g, Json& b) {
  Choices& c = g.c;
  const auto pick = c.below(g.queues.size());
  QueueNames& q = g.queues[pick];
  const bool has_listed = !q.listed.empty();
  const bool nameable = !q.name.empty();  // DMB-002: an empty string is as absent
  if (has_listed && (!nameable || rarely(c, 60))) {
    b["instance_name"] = q.listed[c.below(q.listed.size())];
    switch (c.below(5)) {
      case 1: b["queue"] = q.name; break;
      case 2: b["queue"] = "no such queue"; break;  // not looked up (DMB-005)
      case 3: b["queue"] = ""; break;
      case 4: b["queue"] = any_value(c); break;     // not consumed (JSN-013)
      default: break;
    }
    return;
  }
  if (!nameable) {  // an empty queue name without a listed instance: another queue, or none at all
    for (QueueNames& other : g.queues)
      if (!other.name.empty()) {
        b["queue"] = other.name;
        return;
      }
  }
  b["queue"] = q.name;
  switch (c.below(4)) {
    case 2: b["instance_name"] = unlisted_name(g, q); break;
    case 3: b["instance_name"] = ""; break;
    default: break;
  }
}

}  // namespace

Json make_block(Graph& g) {
  Choices& c = g.c;
  Json b = Json::object();
  b["id"] = any_u32(c);
  add_destination(g, b);
  if (rarely(c, 25)) b["priority_class"] = rarely(c, 20) ? 255 : c.below(256);
  if (rarely(c, 30)) {
    switch (c.below(6)) {
      case 4: b["function_start"] = ""; break;
      case 5: b["function_start"] = text_of(c, 255 + static_cast<std::uint32_t>(c.below(4))); break;  // cut at 256
      default: b["function_start"] = any_text(c, g.size.text_bytes);
    }
  }
  // On SUNDA it decides no byte (DMB-012, JSN-013).
  if (g.target == ArchType::SUNDA) add_unread(c, b, {"section_start_desc"}, 10);
  else if (rarely(c, 20)) b["section_start_desc"] = rarely(c, 70);
  Json desc = Json::array();
  for (auto n = c.below(g.size.descriptors + 1); n > 0; --n) desc.push_back(make_descriptor(g));
  b["desc"] = std::move(desc);
  add_unread(c, b, {"comment", "#comment"}, 5);
  add_noise(c, b);
  return b;
}

}  // namespace assay::harness::models
