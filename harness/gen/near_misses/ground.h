// SPDX-License-Identifier: Apache-2.0
// What near-misses are made on: one sub-graph of a valid model, and the means to give it whatever
// a defect needs to break. The defects themselves are tables in the files beside this one.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "harness/gen/gen.h"

namespace assay::harness::near_misses {

// A place in the model: member path and JSON pointer.
struct At {
  std::string member, pointer;
  At operator/(std::string_view key) const;  // one token further, escaped
  At operator/(std::size_t index) const { return {member, pointer + "/" + std::to_string(index)}; }
};

class Ground {
 public:
  Ground(Choices& choices, Model& on, std::size_t graph);

  Choices& c;
  Model& model;
  std::string definition, dir;
  ArchType target;

  Json& def() { return model.json(definition); }
  Json& at(const At& place) { return model.json(place.member)[Json::json_pointer(place.pointer)]; }
  At root() const { return {definition, {}}; }
  At kelf() const { return {kelf_, {}}; }
  At neff();                               // root of neff.json; something in each of its lists

  // Each returns the place of something of that kind, making a valid one where there is none.
  At variable(const char* type);
  std::string variable_name(const char* type);
  At queue(const char* type);              // a `data` queue unless another type is named
  std::string queue_name(const char* type);
  At engine(const char* name);             // root of the engine's member
  At block();                              // in def.json, on a data queue
  At descriptor(const char* op);           // alone in a new block of def.json; sides of one dimension
  At ucode();                              // an inline library
  At ucode_function();
  At carveout();
  At act_set_entry();                      // in act_info; the act engine names the set
  At profile_file();                       // root of the profile_json member
  At dve_tables();                         // an object inside the dve engine's array
  At section(const char* key, Json otherwise);  // def[key], `otherwise` where it is absent
  std::string blob(const char* name);      // a raw member of the sub-graph, its name

 private:
  std::string kelf_;
};

struct Kind {
  NearMissKind row;
  std::optional<ArchType> target;     // the only one on which it is a defect
  At (*prepare)(Ground&);             // on the twin: what the defect breaks, present and valid
  void (*defect)(Ground&, At&);       // on the copy; leaves the place of the refusal in At
};

std::span<const Kind> json_kinds();
std::span<const Kind> variable_kinds();
std::span<const Kind> queue_kinds();
std::span<const Kind> block_kinds();
std::span<const Kind> descriptor_kinds();
std::span<const Kind> section_kinds();
std::span<const Kind> file_kinds();
std::span<const Kind> graph_io_kinds();

}  // namespace assay::harness::near_misses
