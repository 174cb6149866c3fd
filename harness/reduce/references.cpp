// SPDX-License-Identifier: Apache-2.0
#include "harness/reduce/references.h"

#include <algorithm>

namespace assay::harness::reduce {
namespace {

using Use = Reference::Use;
constexpr const char* kEngines[] = {"pe", "act", "pool", "dve", "sp"};

class Finder {
 public:
  explicit Finder(const Model& model) : model_(model) {}
  std::vector<Reference> found;

  void manifests() {
    if (const Json* nodes = array_at(document(model_, "neff.json"), "nodes"))
      for (std::size_t i = 0; i < nodes->size(); ++i) {
        const std::string* func = text_at(at(&(*nodes)[i], "attrs"), "func_name");
        if (func != nullptr && *func == "__kelf")
          add("neff.json", below(below("/nodes", i), "attrs"), "kelf", "", Use::kelf);
      }
    const std::string kelf = kelf_path(model_);
    if (const Json* graphs = array_at(document(model_, kelf), "graphs"))
      for (std::size_t i = 0; i < graphs->size(); ++i)
        add(kelf, below("/graphs", i), "definition", "", Use::definition);
  }
  void definition(const Definition& d) {
    const Json* def = document(model_, d.path);
    if (const Json* var = at(def, "var"); var != nullptr && var->is_object())
      for (auto it = var->begin(); it != var->end(); ++it)
        add(d.path, below("/var", it.key()), "file_name", d.directory, Use::payload);
    libraries(d.path, array_at(def, "ucode_lib"), "/ucode_lib", d.directory);
    if (const std::string libs = add(d.path, "", "ucode_lib", d.directory, Use::json); !libs.empty())
      libraries(libs, document(model_, libs), "", d.directory);
    for (const char* engine : kEngines) {
      const std::string member = add(d.path, "", engine, d.directory, Use::json);
      if (member.empty()) continue;
      add(member, "", "instr", d.directory, Use::blob);
      tables(member, d.directory);
      activation(add(member, "", "act_info", d.directory, Use::json), d.directory);
    }
  }

 private:
  // The path of the member that this string names, or "".
  std::string add(const std::string& member, const std::string& in, const char* key, const std::string& dir, Use use) {
    const Json* doc = document(model_, member);
    const std::string* name = doc == nullptr ? nullptr : text_at(find(*doc, in), key);
    if (name == nullptr || model_.members.count(dir + *name) == 0) return {};
    Reference r{use, member, below(in, key), dir, dir + *name};
    // Two graphs may share members.
    if (seen_.insert(r.member + '\0' + r.pointer + '\0' + dir).second) found.push_back(r);
    return r.path;
  }
  void libraries(const std::string& member, const Json* list, const std::string& in, const std::string& dir) {
    if (list == nullptr || !list->is_array()) return;
    for (std::size_t i = 0; i < list->size(); ++i) add(member, below(in, i), "library", dir, Use::blob);
  }
  void tables(const std::string& member, const std::string& dir) {
    const Json* list = array_at(document(model_, member), "dve_tables");
    for (const char* key :
         {"opcode_table", "control_fast_table", "control_slow_table", "datapath_table", "control_table"}) {
      if (list == nullptr) add(member, "/dve_tables", key, dir, Use::blob);
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
        add(member, below("/dve_tables", i), key, dir, Use::blob);
    }
  }
  void activation(const std::string& info, const std::string& dir) {
    const Json* sets = info.empty() ? nullptr : array_at(document(model_, info), "act_func_sets");
    for (std::size_t i = 0; sets != nullptr && i < sets->size(); ++i) {
      const std::string set = below("/act_func_sets", i);
      add(info, set, "bkt_bin", dir, Use::blob);
      add(info, set, "ctrl_bin", dir, Use::blob);
      add(info, set, "profile_json", dir, Use::json);
    }
  }

  const Model& model_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<Reference> references_of(const Model& model) {
  Finder finder(model);
  finder.manifests();
  for (const Definition& d : definitions_of(model)) finder.definition(d);
  return std::move(finder.found);
}

std::set<std::string> reachable(const Model& model, const std::vector<Reference>& references) {
  std::set<std::string> seen{"neff.json", kelf_path(model)};
  // References are in the order of the way down, but two definitions may share members.
  for (std::size_t before = 0; before != seen.size();) {
    before = seen.size();
    for (const Reference& r : references)
      if (seen.count(r.member) != 0) seen.insert(r.path);
  }
  return seen;
}

std::vector<Definition> definitions_of(const Model& model) {
  std::vector<Definition> out;
  const auto add = [&](const std::string& path) {
    const Json* def = document(model, path);
    if (def == nullptr) return;
    for (const Definition& known : out)
      if (known.path == path) return;
    Definition d{path, std::string(directory_of(path)), {path}};
    for (const char* engine : kEngines) {
      const std::string* name = text_at(def, engine);
      if (name == nullptr || document(model, d.directory + *name) == nullptr) continue;
      if (std::find(d.documents.begin(), d.documents.end(), d.directory + *name) == d.documents.end())
        d.documents.push_back(d.directory + *name);
    }
    out.push_back(std::move(d));
  };
  for (const GraphPaths& g : graphs_of(model)) add(g.definition);
  for (const auto& [path, member] : model.members)
    if (member.is_json() && at(&member.doc, "var") != nullptr) add(path);
  return out;
}

std::optional<Definition> definition_at(const Model& model, const std::string& path) {
  for (Definition& d : definitions_of(model))
    if (d.path == path) return std::move(d);
  return std::nullopt;
}

void for_each_blocks(Model& model, const Definition& definition, const std::function<void(Json&)>& f) {
  for (const std::string& path : definition.documents)
    if (Json* blocks = array_at(document(model, path), "dma")) f(*blocks);
}

std::vector<Variable> variables_of(const Json& definition) {
  std::vector<Variable> out;
  const Json* var = at(&definition, "var");
  if (var == nullptr || !var->is_object()) return out;
  std::string output;
  std::uint64_t output_id = 0;
  bool has_output = false;
  for (auto it = var->begin(); it != var->end(); ++it) {
    const std::uint64_t id = number_at(&*it, "var_id").value_or(~std::uint64_t{0});
    out.push_back({it.key(), id});
    const std::string* type = text_at(&*it, "type");
    if (type == nullptr || *type != "output" || (has_output && id >= output_id)) continue;
    has_output = true;
    output = it.key();
    output_id = id;
  }
  const auto rank = [&](const Variable& v) { return has_output && v.name == output ? 0 : 1; };
  std::stable_sort(out.begin(), out.end(), [&](const Variable& a, const Variable& b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : a.id < b.id;
  });
  return out;
}

std::vector<std::string> queues_of(const Json& definition) {
  std::vector<std::string> out;
  if (const Json* queues = at(&definition, "dma_queue"); queues != nullptr && queues->is_object())
    for (auto it = queues->begin(); it != queues->end(); ++it) out.push_back(it.key());
  return out;
}

std::vector<std::string> instances_of(const Model& model, const Definition& definition) {
  std::vector<std::string> out;
  const auto add = [&](const std::string* name) {
    if (name == nullptr || name->empty() || std::find(out.begin(), out.end(), *name) != out.end()) return;
    out.push_back(*name);
  };
  const Json* queues = at(document(model, definition.path), "dma_queue");
  if (queues != nullptr && queues->is_object())
    for (const Json& queue : *queues)
      if (const Json* list = array_at(&queue, "queue_instances"))
        for (const Json& name : *list) add(name.get_ptr<const std::string*>());
  for (const std::string& path : definition.documents)
    if (const Json* blocks = array_at(document(model, path), "dma"))
      for (const Json& block : *blocks) add(text_at(&block, "instance_name"));
  return out;
}

std::vector<const Json*> variable_names_in(const Json& descriptor) {
  std::vector<const Json*> out{at(&descriptor, "from"), at(&descriptor, "to")};
  if (const Json* sources = array_at(&descriptor, "from_arr"))
    for (const Json& source : *sources) out.push_back(at(&source, "from"));
  out.erase(std::remove_if(out.begin(), out.end(), [](const Json* v) { return v == nullptr || !v->is_string(); }),
            out.end());
  return out;
}

std::vector<const Json*> set_names_in(const Model& model, const Definition& definition) {
  std::vector<const Json*> out;
  for (const std::string& path : definition.documents) {
    const Json* engine = document(model, path);
    if (const Json* listed = array_at(engine, "activation_function_sets"))
      for (const Json& name : *listed) out.push_back(&name);
    const std::string* info = text_at(engine, "act_info");
    if (info == nullptr) continue;
    if (const Json* sets = array_at(document(model, definition.directory + *info), "act_func_sets"))
      for (const Json& set : *sets) out.push_back(at(&set, "name"));
  }
  out.erase(std::remove_if(out.begin(), out.end(), [](const Json* v) { return v == nullptr || !v->is_string(); }),
            out.end());
  return out;
}

}  // namespace assay::harness::reduce
