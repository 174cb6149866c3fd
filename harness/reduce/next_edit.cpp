// SPDX-License-Identifier: Apache-2.0
// The order of the passes, and the way through one: chunks halve as in delta debugging, and go from
// the last part to the first, so that what was just tried never moves what is still to be tried.
#include <algorithm>
#include <variant>

#include "harness/reduce/passes.h"

namespace assay::harness {
namespace {

using namespace reduce;
using Kind = ModelEdit::Kind;

struct GroupPass {
  Kind kind;
  GroupAt group;
};
using Pass = std::variant<GroupPass, SimplerPass>;

const Pass kPasses[] = {
    GroupPass{Kind::drop_graphs, graphs},
    GroupPass{Kind::drop_members, unreached_members},
    GroupPass{Kind::drop_value, sections},
    GroupPass{Kind::drop_variables, variables},
    GroupPass{Kind::merge_variables, other_variables},
    GroupPass{Kind::drop_queues, queues},
    GroupPass{Kind::drop_members, unreached_members},
    GroupPass{Kind::drop_members, reached_members},
    GroupPass{Kind::drop_value, containers},
    SimplerPass{name_sites, 0, 2, other_name},
    GroupPass{Kind::drop_members, unreached_members},
    SimplerPass{raw_members, 0, 43, shorter_bytes},
    GroupPass{Kind::drop_bytes, raw_chunks},
    GroupPass{Kind::rename_variables, variable_names},
    GroupPass{Kind::rename_queues, queue_names},
    GroupPass{Kind::rename_act_sets, act_set_names},
    GroupPass{Kind::rename_members, member_names},
    SimplerPass{scalars, 0, 2, simpler_scalar},  // nothing at all of each, before less of one
    SimplerPass{scalars, 2, 68, simpler_scalar},
};

ModelEdit edit_of(const Group& g, Kind kind, std::uint64_t first, std::uint64_t count) {
  ModelEdit e;
  e.kind = kind;
  e.member = g.member;
  e.pointer = g.pointer;
  if (g.names.empty()) {
    e.first = first;
    e.count = count;
  }
  for (std::uint64_t i = first; i < first + count && i < g.names.size(); ++i) {
    e.names.push_back(g.names[i]);
    if (i < g.to.size()) e.names.push_back(g.to[i]);
  }
  return e;
}

// The next range of parts of one group at the cursor's chunk, or none when the group is done.
std::optional<ModelEdit> next_range(const Group& g, Kind kind, std::uint64_t& chunk, std::uint64_t& end) {
  const std::uint64_t parts = std::min<std::uint64_t>(g.parts, 0xFFFFFFFF);
  const std::uint64_t most = std::max<std::uint64_t>(parts - std::min(parts, g.needed), 1);
  if (chunk == 0) {
    chunk = most;
    end = parts;
  }
  if (parts == 0) return std::nullopt;
  end = std::min(end, parts);
  if (end == 0) {
    if (chunk <= g.least) return std::nullopt;
    chunk = std::max<std::uint64_t>(std::min(chunk / 2, most), 1);
    end = parts;
  }
  const std::uint64_t first = end - std::min(end, chunk), count = end - first;
  end = first;
  return edit_of(g, kind, first, count);
}

std::optional<ModelEdit> next_of(const GroupPass& pass, const Model& model, Cursor& cursor) {
  // The position holds which group, and the end of the next range in it.
  std::uint64_t group = cursor.position >> 32, end = cursor.position & 0xFFFFFFFF;
  while (const auto g = pass.group(model, group)) {
    auto edit = next_range(*g, pass.kind, cursor.chunk, end);
    if (!edit) {
      ++group;
      cursor.chunk = end = 0;
    }
    cursor.position = group << 32 | end;
    if (edit) return edit;
  }
  return std::nullopt;
}

std::optional<ModelEdit> next_of(const SimplerPass& pass, const Model& model, Cursor& cursor) {
  const std::vector<Site> sites = pass.sites(model);
  for (; cursor.position < sites.size(); ++cursor.position, cursor.chunk = 0)
    for (cursor.chunk = std::max(cursor.chunk, pass.first); cursor.chunk < pass.end;)
      if (auto edit = pass.edit(model, sites[cursor.position], cursor.chunk++)) return edit;
  return std::nullopt;
}

}  // namespace

std::optional<ModelEdit> next_edit(const Model& model, Cursor& cursor) {
  for (;;) {
    for (; cursor.pass < std::size(kPasses); ++cursor.pass, cursor.chunk = 0, cursor.position = 0)
      if (auto edit = std::visit([&](const auto& pass) { return next_of(pass, model, cursor); }, kPasses[cursor.pass]))
        return edit;
    if (!cursor.accepted) return std::nullopt;
    cursor = {};
  }
}

ReduceStats reduce_model(Model& model, const std::function<bool(const Model&)>& still, const ReduceLimits& limits) {
  ReduceStats stats;
  Cursor cursor;
  while (const auto edit = next_edit(model, cursor)) {
    if (stats.checks >= limits.checks || (limits.stop != nullptr && *limits.stop)) {
      stats.exhausted = true;
      break;
    }
    Model candidate = model;
    if (!apply(*edit, candidate)) continue;
    ++stats.checks;
    if (!still(candidate)) continue;
    ++stats.accepted;
    model = std::move(candidate);
    cursor.accept();
  }
  return stats;
}

}  // namespace assay::harness
