// SPDX-License-Identifier: Apache-2.0
// What must change nothing, or one thing alone.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "harness/compare/compare.h"
#include "harness/properties/ask.h"
#include "harness/properties/checks.h"
#include "harness/scratch/scratch.h"

namespace assay::harness::checks {
namespace {

// A graph's request of other members: a violation of `row` where the subject's answer differs.
void same_again(const Subject& s, const Asked& asked, std::size_t graph, const Members& other, std::string_view row,
                const std::string& what, std::vector<Violation>& out) {
  const LowerRequest q = asked.request(graph);
  const Reply<Buffer>& first = asked.answer(s, graph);
  if (!first.ok()) {  // two refusals would agree on nothing
    out.push_back(unwanted(first, kNoRow, q.definition));
    return;
  }
  LowerRequest again = q;
  again.members = &other;
  const auto second = s.lower(again);
  if (first.status == second.status && equal(first.value.view(), second.value.view())) return;
  if (!is_steady(s, q, first.value)) {
    out.push_back({"LOW-011", q.definition, "the same image again", "another", {}});
    return;
  }
  const auto diff = second.ok() ? compare_images(first.value.view(), second.value.view(), nullptr) : std::vector<Violation>{};
  out.push_back({std::string(row), diff.empty() ? q.definition : diff.front().place, "the same answer " + what,
                 diff.empty() ? reply_text(second.status, second.reason) : diff.front().actual, {}});
}

Members copy(const Members& members) {
  Members out;
  for (const auto& [path, bytes] : members) out.put(path, Buffer(bytes.view()));
  return out;
}

void rename_in(Json& blocks, const std::string& from, const std::string& to) {
  const auto side = [&](Json& j, const char* key) {
    if (j.is_object() && j.contains(key) && j[key] == from) j[key] = to;
  };
  for (Json& block : blocks)
    for (Json& d : block["desc"]) {
      side(d, "from");
      side(d, "to");
      if (d.contains("from_arr"))
        for (Json& source : d["from_arr"]) side(source, "from");
    }
}

}  // namespace

Verdict deterministic(const Subject& s, const Case& c) {
  const auto asked = ask_about(std::get<ModelCase>(c).model);
  const Members other = copy(asked->members());  // elsewhere in memory
  std::vector<Violation> found;
  for (std::size_t i = 0; i < asked->graphs(); ++i) same_again(s, *asked, i, other, "LOW-011", "from a copy", found);
  return Verdict::of(std::move(found));
}

Verdict unread_members(const Subject& s, const Case& c) {
  const auto asked = ask_about(std::get<ModelCase>(c).model);
  std::vector<Violation> found;
  for (std::size_t i = 0; i < asked->graphs(); ++i) {
    const LowerRequest q = asked->request(i);
    Members other = copy(asked->members());
    const std::string directory(directory_of(q.definition));
    for (const char* name : {"unread.json", "unread.bin", "def.json.bak"}) other.put(directory + name, Buffer(std::string_view("{]")));
    other.put("unread/def.json", Buffer(std::string_view("\xff")));
    same_again(s, *asked, i, other, "SEC-001", "beside members that nothing names", found);
  }
  return Verdict::of(std::move(found));
}

Verdict renamed_variable(const Subject& s, const Case& c) {
  const Model& model = std::get<ModelCase>(c).model;
  const auto asked = ask_about(model);
  std::vector<Violation> found;
  for (std::size_t i = 0; i < asked->graphs(); ++i) {
    const LowerRequest q = asked->request(i);
    Model renamed = model;
    Json& def = renamed.json(q.definition);
    if (!def.is_object() || !def.contains("var") || def["var"].empty()) continue;
    // The last in byte order comes first, so that an order of names would show.
    const std::string from = std::prev(def["var"].end()).key();
    const std::string to = "!" + from;
    if (def["var"].contains(to)) continue;
    def["var"][to] = def["var"][from];
    def["var"].erase(from);
    const std::uint64_t id = def["var"][to]["var_id"].get<std::uint64_t>();
    if (def.contains("dma")) rename_in(def["dma"], from, to);
    for (const GraphPaths& g : graphs_of(model))
      if (g.definition == q.definition)
        for (const auto& [engine, path] : g.engines)
          if (Json& doc = renamed.json(path); doc.contains("dma")) rename_in(doc["dma"], from, to);
    const Members members = to_members(renamed);
    LowerRequest again = q;
    again.members = &members;
    const Reply<Buffer>& a = asked->answer(s, i);
    const auto b = s.lower(again);
    if (!a.ok() || !b.ok()) {
      if (a.ok() != b.ok()) found.push_back(unwanted(b.ok() ? a : b, kNoRow, q.definition));
      continue;
    }
    const auto va = decode(a.value.view()), vb = decode(b.value.view());
    if (!va || !vb) continue;
    const DiffReport report = diff(*va, *vb);
    const std::string name = fmt::format("mem_ref_set.mem[{}].name", id);
    bool told = false;
    for (const auto* list : {&report.high, &report.lower})
      for (const Difference& d : *list) {
        told |= d.path == name;
        if (d.path == name || !found.empty()) continue;
        const bool steady = is_steady(s, q, a.value);
        found.push_back({steady ? "VAR-031" : "LOW-011", d.path, d.a + " as before the renaming", d.b, {}});
      }
    if (!told && found.empty()) found.push_back({"VAR-031", name, "the new name", "the old one", {}});
  }
  return Verdict::of(std::move(found));
}

namespace {

LowerNeffRequest neff_request(const Model& model, ByteView file) {
  LowerNeffRequest q;
  q.neff = file;
  if (model.options.arch) q.arch = static_cast<std::uint32_t>(code(*model.options.arch));
  q.allow_legacy = model.options.allow_legacy;
  return q;
}

// Two answers to what must be one file.
std::vector<Violation> same_files(const Reply<LowerNeffAnswer>& a, const Reply<LowerNeffAnswer>& b, const char* what) {
  const auto differ = [&](const char* place) {
    return std::vector<Violation>{{"CON-008", place, fmt::format("the same answer {}", what), "another", {}}};
  };
  if (a.status != b.status) return differ("status");
  if (a.value.images.size() != b.value.images.size()) return differ("images");
  for (std::size_t i = 0; i < a.value.images.size(); ++i)
    if (!equal(a.value.images[i].view(), b.value.images[i].view())) return differ("images");
  return compare_io(a.value.io, b.value.io).empty() ? std::vector<Violation>{} : differ("inputs and outputs");
}

}  // namespace

Verdict containers_agree(const Subject& s, const Case& c) {
  const Model& model = std::get<ModelCase>(c).model;
  const auto raw = to_neff(model, 1), gzip = to_neff(model, 2);
  if (!raw || !gzip) return Verdict::cannot_say("no NEFF of it");
  const auto a = s.lower_neff(neff_request(model, raw->view()));
  auto found = same_files(a, s.lower_neff(neff_request(model, gzip->view())), "of pkg_version 1 and 2");
  if (!found.empty() && !same_files(a, s.lower_neff(neff_request(model, raw->view())), "again").empty())
    found = {{"LOW-011", "file", "the same answer again", "another", {}}};
  return Verdict::of(std::move(found));
}

namespace {

bool write_at(const std::filesystem::path& file, ByteView bytes) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return out.flush().good();
}

}  // namespace

// The oracle's own: no operation of a subject takes a directory.
Verdict directory_agrees(const Subject&, const Case& c) {
  namespace fs = std::filesystem;
  const Model& model = std::get<ModelCase>(c).model;
  const Members members = to_members(model);
  for (const auto& [path, bytes] : members)
    if (fs::path(path).lexically_normal().string() != path) return Verdict::cannot_say("no directory holds the path " + path);
  std::error_code error;
  const auto scratch = ScratchDirectory::make();
  if (!scratch) return Verdict::cannot_say("no temporary directory: " + scratch.error());
  const std::string& root = scratch->path();
  std::string io_error;
  // What cannot be written is no fault of the reading.
  bool written = write_at(fs::path(root) / "wavegraph-bin.json", as_bytes("dropped"));
  for (const auto& [path, bytes] : members) written = written && write_at(fs::path(root) / path, bytes.view());
  fs::create_symlink("def.json", fs::path(root) / "not-followed.json", error);
  const auto read = read_directory(root, {}, io_error);
  if (!written) return Verdict::cannot_say("the temporary directory cannot be written");
  if (!io_error.empty() || !read) return Verdict::violated({"CON-012", "directory", "its members", read ? io_error : read.error().text(), {}});
  if (read->size() != members.size()) return Verdict::violated({"CON-012", "directory", fmt::format("{} members", members.size()), fmt::format("{}", read->size()), {}});
  for (const auto& [path, bytes] : members) {
    const Buffer* got = read->find(path);
    if (got == nullptr || !equal(got->view(), bytes.view())) return Verdict::violated({"CON-012", path, "the member's bytes", "others or none", {}});
  }
  return Verdict::ok();
}

// The oracle's own: what it answers under a bound is what it answers without, or the bound's refusal.
Verdict memory_limit(const Subject&, const Case& c) {
  const Model& model = std::get<ModelCase>(c).model;
  const Asked asked(model);
  const auto whole = lower_members(asked.members(), model.options);
  if (!whole) return Verdict::violated({std::string(whole.error().row().requirement), whole.error().place.text(), "accepted", whole.error().text(), {}});
  std::vector<Buffer> images;
  std::uint64_t sum = 0;
  for (const LoweredGraph& g : whole->graphs) {
    auto image = encode(g.tree);
    if (!image) return Verdict::violated({"LOW-010", g.definition, "an image", image.error().text(), {}});
    sum += image->size();
    images.push_back(std::move(*image));
  }
  // The bound counts records before they are made, so that it lies above what they come to: under a
  // bound between, either answer will do, but no third.
  const std::uint64_t enough = 8 * sum;
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1000}, sum / 2, sum, 2 * sum, enough}) {
    Options options = model.options;
    options.limits.image_bytes = bytes;
    const auto bounded = lower_members(asked.members(), options);
    const std::string place = fmt::format("image_bytes {}", bytes);
    if (!bounded) {
      if (bounded.error().reason != Reason::limit_image_bytes || bytes == enough)
        return Verdict::violated({"LOW-010", place, bytes == enough ? "accepted" : "refused by the bound", bounded.error().text(), {}});
      continue;
    }
    for (std::size_t i = 0; i < images.size(); ++i) {
      const auto image = encode(bounded->graphs[i].tree);
      if (!image || !equal(image->view(), images[i].view()))
        return Verdict::violated({"LOW-010", place, "the same image", "another", {}});
    }
  }
  return Verdict::ok();
}

Verdict respelled_means_the_same(const Subject& s, const Case& c) {
  const TextCase& text = std::get<TextCase>(c);
  if (text.reason) return Verdict::cannot_say("a text that must be refused");
  const Asked asked(text.model);
  std::vector<Violation> found;
  bool judged = false;
  for (std::size_t i = 0; i < asked.graphs(); ++i) {
    const LowerRequest q = asked.request(i);
    if (q.definition != text.definition) continue;
    judged = true;
    Members other = copy(asked.members());
    other.put(text.definition, Buffer(std::string_view(text.text)));
    same_again(s, asked, i, other, "JSN-012", "in another spelling", found);
  }
  if (!judged) return Verdict::cannot_say("no graph has this definition");
  return Verdict::of(std::move(found));
}

}  // namespace assay::harness::checks
