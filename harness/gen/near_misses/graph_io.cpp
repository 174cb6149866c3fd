// SPDX-License-Identifier: Apache-2.0
// Defects of neff.json's graph inputs and outputs: what is read of it before the KELF descriptor.
#include "harness/gen/near_misses/ground.h"

namespace assay::harness::near_misses {
namespace {

constexpr std::nullopt_t kAny = std::nullopt;
constexpr Reason kValue = Reason::io_value;

At neff(Ground& g) { return g.neff(); }
At in_neff() { return {"neff.json", {}}; }

// Of the first input and output: the element of arg_nodes or heads, and the node it names.
At first_arg(Ground& g) { return g.neff() / "arg_nodes" / std::size_t{0}; }
At first_head(Ground& g) { return g.neff() / "heads" / std::size_t{0}; }
std::size_t arg_node(Ground& g) { return g.at(first_arg(g)).get<std::size_t>(); }
std::size_t head_node(Ground& g) { return g.at(first_head(g))[0].get<std::size_t>(); }
At node(std::size_t n) { return in_neff() / "nodes" / n; }
At first_row(Ground& g) { return g.neff() / "node_row_ptr" / arg_node(g); }
At first_arg_node(Ground& g) {
  g.neff();
  return node(arg_node(g));
}
// The first input's dtype and shape.
At entry(Ground& g, const char* list) {
  return g.neff() / "attrs" / list / std::size_t{1} / g.at(first_row(g)).get<std::size_t>();
}
At first_dtype(Ground& g) { return entry(g, "dltype"); }
At first_shape(Ground& g) { return entry(g, "shape"); }

Json no_index(Ground& g) {
  switch (g.c.below(6)) {
    case 0: return -1;
    case 1: return 0.0;
    case 2: return "0";
    case 3: return nullptr;
    case 4: return false;
    default: return Json::array({0});
  }
}
Json no_array(Ground& g) {
  switch (g.c.below(4)) {
    case 0: return "4";
    case 1: return nullptr;
    case 2: return 4;
    default: return Json::object();
  }
}
Json no_string(Ground& g) {
  switch (g.c.below(3)) {
    case 0: return 5;
    case 1: return nullptr;
    default: return Json::array({"x"});
  }
}

const Kind kKinds[] = {
    {{"io-key-absent", Reason::io_key_missing}, kAny, neff,
     [](Ground& g, At& at) {
       static constexpr const char* kKeys[] = {"nodes", "arg_nodes", "heads", "node_row_ptr", "attrs"};
       g.at(at).erase(g.c.pick(kKeys));
     }},
    {{"io-key-of-another-type", Reason::io_key_missing}, kAny, neff,
     [](Ground& g, At& at) {
       static constexpr const char* kArrays[] = {"nodes", "arg_nodes", "heads", "node_row_ptr"};
       if (g.c.chance(30)) g.at(at)["attrs"] = g.c.chance(50) ? Json::array() : Json("{}");
       else g.at(at)[g.c.pick(kArrays)] = no_array(g);
     }},
    {{"io-attr-absent", Reason::io_key_missing}, kAny, neff,
     [](Ground& g, At& at) {
       at = at / "attrs";
       g.at(at).erase(g.c.chance(50) ? "dltype" : "shape");
     }},
    {{"io-list-absent", Reason::io_key_missing}, kAny, neff,
     [](Ground& g, At& at) {
       at = at / "attrs" / (g.c.chance(50) ? "dltype" : "shape");
       switch (g.c.below(4)) {
         case 0: g.at(at) = Json::array(); break;
         case 1: g.at(at) = Json::array({"list"}); break;
         case 2: g.at(at)[1] = no_array(g); break;
         default: g.at(at) = no_array(g); break;
       }
     }},
    {{"io-head-node", Reason::io_head_node}, kAny, first_head,
     [](Ground& g, At& at) {
       g.at(at)[0] = g.model.json("neff.json")["nodes"].size() + g.c.below(2);
       at = at / std::size_t{0};
     }},
    {{"io-entry-id", Reason::io_entry_id}, kAny, first_head,
     [](Ground& g, At& at) { g.at(at)[1] = 1000 + g.c.below(10); }},
    {{"io-entry-id-over-64-bits", Reason::io_entry_id}, kAny,
     [](Ground& g) {
       // A node of its own, which no input names.
       Json& doc = g.model.json(g.neff().member);
       doc["node_row_ptr"] = Json::array();
       for (std::size_t i = 0; i < doc["nodes"].size(); ++i) doc["node_row_ptr"].push_back(0);
       doc["nodes"].push_back({{"name", "late"}});
       doc["node_row_ptr"].push_back(0);
       doc["heads"] = Json::array({Json::array({doc["nodes"].size() - 1, 0})});
       return first_head(g);
     },
     [](Ground& g, At& at) {
       g.at(in_neff() / "node_row_ptr" / head_node(g)) = ~std::uint64_t{0};
       g.at(at)[1] = 1 + g.c.below(2);
     }},
    {{"io-entry-without-shape", Reason::io_entry_id}, kAny, first_arg,
     [](Ground& g, At&) { g.at(in_neff() / "attrs" / "shape" / std::size_t{1}) = Json::array(); }},
    {{"io-rank-33", Reason::io_rank}, kAny, first_shape,
     [](Ground& g, At& at) { g.at(at) = Json(std::vector<int>(33, 1)); }},
    {{"io-size-overflow", Reason::io_size_overflow}, kAny, first_shape,
     [](Ground& g, At& at) { g.at(at) = {std::uint64_t{1} << 32, std::uint64_t{1} << 32}; }},
    {{"io-value-type", kValue}, kAny, first_shape, [](Ground& g, At& at) { g.at(at) = no_array(g); }},
    {{"io-dimension-no-integer", kValue}, kAny, first_shape,
     [](Ground& g, At& at) {
       g.at(at) = Json::array({2, no_index(g)});
       at = at / std::size_t{1};
     }},
    {{"io-dtype-no-string", kValue}, kAny, first_dtype, [](Ground& g, At& at) { g.at(at) = no_string(g); }},
    {{"io-arg-no-integer", kValue}, kAny, first_arg, [](Ground& g, At& at) { g.at(at) = no_index(g); }},
    {{"io-arg-node", kValue}, kAny, first_arg,
     [](Ground& g, At& at) { g.at(at) = g.model.json("neff.json")["nodes"].size() + g.c.below(2); }},
    {{"io-head-no-array", kValue}, kAny, first_head,
     [](Ground& g, At& at) {
       switch (g.c.below(3)) {
         case 0: g.at(at) = Json::array(); break;
         case 1: g.at(at) = Json::array({head_node(g)}); break;
         default: g.at(at) = no_array(g); break;
       }
     }},
    {{"io-head-no-integer", kValue}, kAny, first_head,
     [](Ground& g, At& at) {
       const std::size_t part = g.c.below(2);
       g.at(at)[part] = no_index(g);
       at = at / part;
     }},
    {{"io-row-absent", kValue}, kAny, first_arg,
     [](Ground& g, At&) {
       Json rows = Json::array();
       const Json& all = g.at(in_neff() / "node_row_ptr");
       for (std::size_t i = 0; i < arg_node(g); ++i) rows.push_back(all[i]);
       g.at(in_neff() / "node_row_ptr") = rows;
     }},
    {{"io-row-no-integer", kValue}, kAny, first_row, [](Ground& g, At& at) { g.at(at) = no_index(g); }},
    {{"io-node-no-object", kValue}, kAny, first_arg_node,
     [](Ground& g, At& at) { g.at(at) = g.c.chance(50) ? Json::array() : Json("node"); }},
    {{"io-name-absent", kValue}, kAny, first_arg_node, [](Ground& g, At& at) { g.at(at).erase("name"); }},
    {{"io-name-no-string", kValue}, kAny, first_arg_node,
     [](Ground& g, At& at) {
       g.at(at)["name"] = no_string(g);
       at = at / "name";
     }},
    {{"io-name-with-nul", Reason::nul_in_string}, kAny, first_arg_node,
     [](Ground& g, At& at) {
       g.at(at)["name"] = std::string("in\0put", 6);
       at = at / "name";
     }},
    {{"io-output-name-no-string", kValue}, kAny,
     [](Ground& g) {
       // Named by the node itself or by its attrs (IO-006).
       g.neff();
       const At at = node(head_node(g));
       Json& names = g.at(at);
       names.erase("output_names");
       if (names.contains("attrs")) names["attrs"].erase("output_names");
       const bool inner = names.contains("attrs") && g.c.chance(50);
       (inner ? names["attrs"] : names)["output_names"] = Json::array();
       const std::size_t index = g.at(first_head(g))[1].get<std::size_t>();
       Json& list = (inner ? names["attrs"] : names)["output_names"];
       while (list.size() <= index) list.push_back("y");
       return (inner ? at / "attrs" : at) / "output_names" / index;
     },
     [](Ground& g, At& at) { g.at(at) = no_string(g); }},
};

}  // namespace

std::span<const Kind> graph_io_kinds() { return kKinds; }

}  // namespace assay::harness::near_misses
