// SPDX-License-Identifier: Apache-2.0
// What the manifests of a model name, and members back to a model.
#include <memory>
#include <optional>
#include <set>

#include "harness/gen/model.h"
#include "oracle/manifest/json.h"

namespace assay::harness {
namespace {


// The value of a key, or nullptr: on anything, without a judgement.
const Json* at(const Json* j, const char* key) {
  if (j == nullptr || !j->is_object()) return nullptr;
  const auto it = j->find(key);
  return it == j->end() ? nullptr : &*it;
}
const std::string* text_at(const Json* j, const char* key) {
  const Json* v = at(j, key);
  return v == nullptr || !v->is_string() ? nullptr : v->get_ptr<const std::string*>();
}
const Json* document(const Model& model, const std::string& path) {
  const auto it = model.members.find(path);
  return it == model.members.end() || !it->second.is_json() ? nullptr : &it->second.doc;
}

// Builds a document the way the dialect reads it: of duplicate keys the first counts. Two
// variables or queues of one name are a fault that a document cannot hold: `faithful` is then false.
class FirstWins {
 public:
  Json root;
  bool faithful = true;

  bool null() { return put(nullptr); }
  bool boolean(bool v) { return put(v); }
  bool number_integer(std::int64_t v) { return put(v); }
  bool number_unsigned(std::uint64_t v) { return put(v); }
  bool number_float(double v, const std::string&) { return put(v); }
  bool string(std::string& v) { return put(std::move(v)); }
  bool binary(Json::binary_t&) { return false; }
  bool key(std::string& k) {
    key_ = std::move(k);
    if (open_.size() == 1) section_ = key_;
    return true;
  }
  bool start_object(std::size_t) { return enter(Json::object()); }
  bool end_object() { return leave(); }
  bool start_array(std::size_t) { return enter(Json::array()); }
  bool end_array() { return leave(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) { return false; }

 private:
  // Where the next value goes, or a place where it is forgotten.
  Json* slot() {
    if (open_.empty()) return &root;
    Json& in = *open_.back();
    if (in.is_array()) {
      in.push_back(nullptr);
      return &in.back();
    }
    if (in.find(key_) == in.end()) return &in[key_];
    if (open_.size() == 2 && (section_ == "var" || section_ == "dma_queue")) faithful = false;
    forgotten_.push_back(std::make_unique<Json>());
    return forgotten_.back().get();
  }
  bool put(Json v) {
    *slot() = std::move(v);
    return true;
  }
  bool enter(Json v) {
    Json* s = slot();
    *s = std::move(v);
    open_.push_back(s);
    return true;
  }
  bool leave() {
    open_.pop_back();
    return true;
  }

  std::vector<Json*> open_;
  std::string key_, section_;
  std::vector<std::unique_ptr<Json>> forgotten_;
};

class Reader {
 public:
  explicit Reader(Model& model) : model_(model) {}

  void read() {
    turn("neff.json");
    turn(kelf_path(model_));
    for (const GraphPaths& g : graphs_of(model_)) turn(g.definition);
    for (const GraphPaths& g : graphs_of(model_)) {
      const Json* def = document(model_, g.definition);
      use_blobs(def, g.directory);
      for (const char* engine : kEngineKeys)
        if (const std::string* name = text_at(def, engine)) {
          turn(g.directory + *name);
          const Json* doc = document(model_, g.directory + *name);
          use(doc, "instr", g.directory);
          use_tables(at(doc, "dve_tables"), g.directory);
        }
      if (const std::string* name = text_at(def, "ucode_lib")) {
        turn(g.directory + *name);
        use_libraries(document(model_, g.directory + *name), g.directory);
      } else {
        use_libraries(at(def, "ucode_lib"), g.directory);
      }
      read_act(document(model_, g.directory + value_or_empty(text_at(def, "act"))), g.directory);
    }
    // A member that is read as bytes too keeps its spelling.
    for (const std::string& path : blobs_) back_to_bytes(path);
  }

 private:
  static std::string value_or_empty(const std::string* s) { return s == nullptr ? std::string() : *s; }

  void turn(const std::string& path) {
    const auto it = model_.members.find(path);
    if (it == model_.members.end() || it->second.is_json()) return;
    if (auto doc = document_in(path, it->second.bytes)) {
      spelled_[path] = std::move(it->second.bytes);
      it->second = {std::move(*doc), {}};
    }
  }
  void back_to_bytes(const std::string& path) {
    const auto it = spelled_.find(path);
    if (it != spelled_.end()) model_.put_bytes(path, it->second);
  }
  void use(const Json* j, const char* key, const std::string& dir) {
    if (const std::string* name = text_at(j, key)) blobs_.insert(dir + *name);
  }
  void use_blobs(const Json* def, const std::string& dir) {
    if (const Json* var = at(def, "var"); var != nullptr && var->is_object())
      for (const Json& v : *var) use(&v, "file_name", dir);
  }
  void use_tables(const Json* tables, const std::string& dir) {
    if (tables != nullptr && tables->is_array() && !tables->empty()) tables = &tables->front();
    for (const char* key : {"opcode_table", "control_fast_table", "control_slow_table", "datapath_table", "control_table"})
      use(tables, key, dir);
  }
  void use_libraries(const Json* libs, const std::string& dir) {
    if (libs != nullptr && libs->is_array())
      for (const Json& lib : *libs) use(&lib, "library", dir);
  }
  void read_act(const Json* act, const std::string& dir) {
    const std::string* info_name = text_at(act, "act_info");
    if (info_name == nullptr) return;
    turn(dir + *info_name);
    const Json* sets = at(document(model_, dir + *info_name), "act_func_sets");
    if (sets == nullptr || !sets->is_array()) return;
    for (const Json& set : *sets) {
      use(&set, "bkt_bin", dir);
      use(&set, "ctrl_bin", dir);
      if (const std::string* profile = text_at(&set, "profile_json")) turn(dir + *profile);
    }
  }

  Model& model_;
  std::map<std::string, std::string> spelled_;  // of what became a document
  std::set<std::string> blobs_;
};

}  // namespace

std::optional<Json> document_in(const std::string& path, const std::string& text) {
  if (!Document::parse(path, Buffer(text))) return std::nullopt;
  FirstWins reader;
  if (!Json::sax_parse(text, &reader) || !reader.faithful) return std::nullopt;
  return std::move(reader.root);
}

std::string kelf_path(const Model& model) {
  if (model.members.count("neff.json") == 0) return model.members.count("kelf-0.json") != 0 ? "kelf-0.json" : "kelf-a.json";
  if (const Json* nodes = at(document(model, "neff.json"), "nodes"); nodes != nullptr && nodes->is_array())
    for (const Json& node : *nodes) {
      const Json* attrs = at(&node, "attrs");
      const std::string* func = text_at(attrs, "func_name");
      if (func == nullptr || *func != "__kelf") continue;
      const std::string* kelf = text_at(attrs, "kelf");
      return kelf == nullptr ? std::string() : *kelf;
    }
  return {};
}

std::vector<GraphPaths> graphs_of(const Model& model) {
  std::vector<GraphPaths> out;
  const Json* list = at(document(model, kelf_path(model)), "graphs");
  if (list == nullptr || !list->is_array()) return out;
  for (const Json& entry : *list) {
    const std::string* definition = text_at(&entry, "definition");
    if (definition == nullptr) continue;
    const std::string* name = text_at(&entry, "name");
    GraphPaths g{name == nullptr ? std::string() : *name, *definition, std::string(directory_of(*definition)), {}};
    const Json* def = document(model, *definition);
    for (const char* engine : kEngineKeys)
      if (const std::string* member = text_at(def, engine))
        if (document(model, g.directory + *member) != nullptr) g.engines[engine] = g.directory + *member;
    out.push_back(std::move(g));
  }
  return out;
}

Model from_members(const Members& members, const Options& options) {
  Model model;
  model.options = options;
  for (const auto& [path, bytes] : members) model.put_bytes(path, std::string(bytes.text()));
  Reader(model).read();
  return model;
}

}  // namespace assay::harness
