// SPDX-License-Identifier: Apache-2.0
// What the sections of a generated model share: the sub-graph being made, and the small
// generators (numbers, texts, raw members, values nobody reads) they are built from. A choice of 0
// is always the plain one, so that a source that has run dry ends in a small model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/gen/gen.h"
#include "oracle/dtype/enums.h"

namespace assay::harness::models {

struct Var {
  std::string name;
  MrType type = MrType::MR_SB;
};

struct QueueNames {
  std::string name;
  std::vector<std::string> listed;  // queue_instances
  std::vector<std::string> made;    // by blocks, without being listed
};

// One sub-graph while it is made.
struct Graph {
  Choices& c;
  const GenSize& size;
  ArchType target;
  bool allow_legacy;
  Model& model;
  std::string dir;                    // with its slash; empty at the archive's root
  Json def = Json::object();
  std::vector<Var> vars = {};         // by var_id
  std::vector<QueueNames> queues = {};
  std::vector<std::string> listed = {};  // instances of all queues
  std::vector<std::string> blobs = {};   // raw members made so far, none named .npy

  void put(const std::string& name, Json doc) { model.put(dir + name, std::move(doc)); }
};

// ---- sections, in the order they are made: each adds its keys to g.def and its members ----
void add_variables(Graph& g);
void add_queues(Graph& g);
void add_collectives(Graph& g);
void add_ucode(Graph& g);
void add_config(Graph& g);       // carveouts, streams, fp8
void add_engines(Graph& g);      // engine members, tables, and every block
Json make_block(Graph& g);       // g.queues is not empty
Json make_descriptor(Graph& g);
void add_act_tables(Graph& g, Json& engine);
void add_dve_tables(Graph& g, Json& engine);
// neff.json or none, the KELF descriptor, and options that admit the target.
struct GraphEntry {
  std::string name, definition;
};
void choose_options(Choices& c, ArchType target, Model& model);
void add_manifests(Choices& c, ArchType target, const std::vector<GraphEntry>& graphs, Model& model);

// ---- small generators ----

// True in `percent` of 100 draws, and never on a choice of 0.
inline bool rarely(Choices& c, std::uint32_t percent) { return c.below(100) >= 100 - percent; }
// lo..hi, small ones more often.
std::uint32_t few(Choices& c, std::uint32_t lo, std::uint32_t hi);

std::uint64_t any_u64(Choices& c);
std::uint32_t any_u32(Choices& c);
std::int64_t any_i64(Choices& c);
std::uint64_t at_least_1(Choices& c);  // a size: 1..2^64-1
double any_scale(Choices& c);          // rounds to a finite float32
Json any_scale_number(Choices& c);     // the same, now and then written as an integer

// A string of at most `max` bytes, valid UTF-8 without NUL; mostly a short word.
std::string any_text(Choices& c, std::uint32_t max);
// A text of exactly `bytes` bytes.
std::string text_of(Choices& c, std::uint32_t bytes);
// A text unlike every one in `taken`.
std::string new_name(Choices& c, std::uint32_t max, const std::vector<std::string>& taken);
std::string_view any_dtype(Choices& c);  // of the def.json matcher

// A value of any JSON type, for keys that are not consumed.
Json any_value(Choices& c);
// Now and then a key that no object consumes.
void add_noise(Choices& c, Json& object);
// Gives `object` values of any type under some of `keys`, which it does not consume.
void add_unread(Choices& c, Json& object, std::initializer_list<const char*> keys, std::uint32_t percent = 3);

std::string any_bytes(Choices& c, std::uint32_t max);
// A fresh member name below the sub-graph's directory, ending in `extension`.
std::string new_member(Graph& g, std::string_view extension);
// The name of a raw member: a new one, or one made before.
std::string raw_member(Graph& g, std::string_view extension = ".bin");

}  // namespace assay::harness::models
