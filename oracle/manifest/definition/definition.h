// SPDX-License-Identifier: Apache-2.0
// def.json and its neighbours -> Resources. One file per section; each section is a function that
// reads its keys, checks its own rules and adds to Resources. Nothing here knows a record layout
// beyond the plain structs it fills, and nothing is written anywhere.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/base/options.h"
#include "oracle/container/members.h"
#include "oracle/manifest/definition/resources.h"
#include "oracle/manifest/json.h"
#include "oracle/manifest/keys.h"

namespace assay {

// Reads one sub-graph. `definition` is the member path of its def.json; the members must outlive
// the result. `target` is the final one, SUNDA, CAYMAN or MARIANA. Sections are read in the order
// of SEC-002 and the first failing one decides the refusal. Throws std::bad_alloc only.
Result<Resources> read_definition(const Members& members, std::string_view definition,
                                  ArchType target, const Options& options);

namespace definition {

class NameIndex;

// What the sections share while one definition is read.
struct Context {
  const Members& members;
  std::string_view directory;  // of the sub-graph, with its slash
  ArchType target;
  const Options& options;
  Resources& out;
  const NameIndex* variables = nullptr;             // name -> position in out.variables
  std::map<std::string, std::pair<std::uint32_t, std::uint32_t>, std::less<>>
      listed_instances;                             // instance name -> queue, instance
  std::map<std::string, std::uint32_t, std::less<>> queue_index;
  std::vector<std::map<std::string, std::uint32_t, std::less<>>> instances_of_queue;
  std::vector<std::string> function_in_force;       // per queue (DMB-011)
  std::uint64_t charged_bytes = 0;                  // of the records charged so far

  // The sub-graph's member of that name (joined byte for byte), or nullptr.
  const Buffer* member(std::string_view name) const {
    return members.find(std::string(directory) + std::string(name));
  }
  // The member a string value names, or the refusal `missing` at that value.
  Result<const Buffer*> member_at(const Node& name, Reason missing) const;
  // The JSON member a string value names, parsed.
  Result<Document> document_at(const Node& name, Reason missing) const;
  // Counts records that are far larger than the text that asks for them, so that a small file
  // cannot ask for more memory than Limits::image_bytes; refuses at `node`.
  Result<> charge(std::uint64_t bytes, const Node& node);
};

using Def = Keys<DefKey>;

Result<> read_variables(Context& c, const Def& def, NameIndex& index);
Result<> read_queues(Context& c, const Def& def);
Result<> read_replica_groups(Context& c, const Def& def);
Result<> read_src_target_pairs(Context& c, const Def& def);
Result<> read_ucode(Context& c, const Def& def);
Result<> read_carveouts(Context& c, const Def& def);
Result<> read_streams(Context& c, const Def& def);
Result<> read_fp8(Context& c, const Def& def);
Result<> read_blocks(Context& c, const Node& dma);  // one `dma` array
Result<Descriptor> read_descriptor(const Context& c, const Node& node);
Result<> read_engine(Context& c, const Def& def, EngineType engine);
Result<> read_act(Context& c, const Keys<EngineKey>& engine);
Result<> read_dve(Context& c, const Keys<EngineKey>& engine);

// Keys that must be there: the refusal `missing`, naming the key, at the object.
template <class E>
Result<> require(const Keys<E>& keys, std::initializer_list<E> wanted, Reason missing) {
  for (const E e : wanted)
    if (!keys.has(e))
      return keys.node().refuse(missing, "no \"" + std::string(keys_of(E{})[static_cast<std::size_t>(e)]) + "\"");
  return {};
}

}  // namespace definition
}  // namespace assay
