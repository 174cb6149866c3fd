// SPDX-License-Identifier: Apache-2.0
// assay lower: a model to images. Files appear only after every sub-graph was lowered and encoded.
#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <set>

#include "cli/commands.h"
#include "cli/neff_fields.h"
#include "cli/output_files.h"
#include "cli/progress.h"
#include "cli/reports.h"
#include "cli/text.h"
#include "oracle/container/container.h"
#include "oracle/image/image.h"
#include "oracle/lower/lower.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

bool is_directory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_definition(const std::string& path) {
  constexpr std::string_view kTail = ".json";
  return path.size() > kTail.size() && path.substr(path.size() - kTail.size()) == kTail;
}

// A lone def.json: its directory's files are the members, the graph bears the directory's name.
Io<Result<Lowered>> lower_lone(const std::string& input, const Options& options) {
  const fs::path path(input);
  const std::string definition = path.filename().string();
  const std::string directory = path.has_parent_path() ? path.parent_path().string() : ".";
  std::error_code error;
  if (!fs::exists(path, error)) return io_error(errno_text(input, error ? error.value() : ENOENT));
  if (!options.arch)
    return refuse(Reason::target_open, {definition, {}, {}, {}},
                  "a lone definition names no target");

  std::string failure;
  auto members = read_directory(directory, options.limits, failure);
  if (!failure.empty()) return io_error(failure);
  if (!members) return tl::unexpected<Refusal>(members.error());
  if (members->find(definition) == nullptr) {  // a link: followed, since it was named itself
    auto own = read_file(input);
    if (!own) return io_error(own.error());
    members->put(definition, std::move(*own));
  }

  std::vector<Place> assumed;
  auto tree = lower_definition(*members, definition, *options.arch, 0, options, &assumed);
  if (!tree) return tl::unexpected<Refusal>(tree.error());
  const fs::path real = fs::canonical(directory, error);
  Lowered out;
  out.target = *options.arch;
  out.graphs.push_back({error ? "" : real.filename().string(), definition, std::move(*tree),
                        std::move(assumed)});
  return out;
}

Io<Result<Lowered>> lower_input(const LowerArgs& args, ProgressLine& line) {
  const auto progress = [&line](std::size_t i, std::size_t n, const std::string& name) {
    line.at(fmt::format("lowering sub-graph {} of {}: {}", i + 1, n, name));
  };
  line.at("reading " + args.input);
  if (is_directory(args.input)) {
    std::string failure;
    auto members = read_directory(args.input, args.options.limits, failure);
    if (!failure.empty()) return io_error(failure);
    if (!members) return tl::unexpected<Refusal>(members.error());
    return lower_members(std::move(*members), args.options, progress);
  }
  if (is_definition(args.input)) return lower_lone(args.input, args.options);
  auto file = read_file(args.input);
  if (!file) return io_error(file.error());
  line.at("expanding " + args.input);
  return lower_neff(file->view(), args.options, progress);
}

// A graph's own name where it is a plain file name, else sgNN; no two graphs get one name.
std::vector<std::string> file_names(const std::vector<LoweredGraph>& graphs) {
  std::set<std::string> taken;
  for (const LoweredGraph& g : graphs)
    if (is_plain_file_name(g.name)) taken.insert(g.name);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    std::string name = graphs[i].name;
    if (!is_plain_file_name(name)) {
      const std::string base = fmt::format("sg{:02}", i);
      name = base;
      for (int n = 1; !taken.insert(name).second; ++n) name = fmt::format("{}-{}", base, n);
    }
    names.push_back(name + ".kbin");
  }
  return names;
}

GraphReport report_of(const LoweredGraph& g, const Buffer& image) {
  const kbin_t& root = g.tree.root();
  GraphReport r;
  r.name = g.name;
  r.image_bytes = image.size();
  r.crc32 = load<std::uint32_t>(image.data() + image::kCrcAt);
  r.variables = root.mem_ref_set->nmem;
  for (kbin_dma_t* dma : root.dma) {
    if (dma == nullptr) continue;
    ++r.queues;
    for (std::uint32_t i = 0; i < dma->ring_instance_count; ++i)
      r.descriptors += instances_of(dma)[i]->ndesc;
  }
  for (std::size_t i = 0; i < r.ninstr.size(); ++i)
    for (const kbin_engine_t* e : root.engine)
      if (std::string_view(e->name) == kEngineNames[i]) r.ninstr[i] = e->ninstr;
  r.assumed = g.assumed;
  return r;
}

std::string line_of(const GraphReport& g) {
  std::string ninstr;
  for (std::size_t i = 0; i < g.ninstr.size(); ++i)
    ninstr += fmt::format("{}{}:{}", i == 0 ? "" : ",", kEngineNames[i], g.ninstr[i]);
  std::string line = fmt::format(
      "name={} image_bytes={} crc32={:08x} variables={} queues={} descriptors={} ninstr={}",
      escape_word(g.name), g.image_bytes, g.crc32, g.variables, g.queues, g.descriptors, ninstr);
  if (!g.assumed.empty()) line += fmt::format(" assumed={}", g.assumed.size());
  if (!g.file.empty()) line += " file=" + escape_word(g.file);
  return line;
}

}  // namespace

Exit run_lower(const LowerArgs& args, Out& out) {
  ProgressLine line;
  auto done = lower_input(args, line);
  if (!done || !*done) {
    line.stop();
    return done ? refused(done->error(), args.json, out) : fail(done.error());
  }
  Lowered lowered = std::move(**done);

  LowerReport report;
  report.target = lowered.target;
  const std::vector<std::string> names = file_names(lowered.graphs);
  OutputFiles files(args.output);
  for (std::size_t i = 0; i < lowered.graphs.size(); ++i) {
    LoweredGraph& g = lowered.graphs[i];
    line.at(fmt::format("encoding sub-graph {} of {}: {}", i + 1, names.size(), g.name));
    auto image = encode(g.tree, args.options.limits);
    if (!image) {
      line.stop();
      return refused(image.error(), args.json, out);
    }
    report.graphs.push_back(report_of(g, *image));
    g.tree = Tree();  // a large model's trees and images need not all be held at once
    if (args.output.empty()) continue;
    report.graphs.back().file = files.path_of(names[i]);
    if (auto added = files.add(names[i], image->view()); !added) {
      line.stop();
      return fail(added.error());
    }
  }
  if (auto committed = files.commit(); !committed) {
    line.stop();
    return fail(committed.error());
  }
  line.stop();

  report.io = std::move(lowered.io);
  for (const GraphReport& g : report.graphs)
    for (const Place& p : g.assumed)
      complain(fmt::format("assumed: no signals at {} (DMB-019)", p.text()));
  if (args.json) {
    out.write(to_json(report));
  } else {
    for (const GraphReport& g : report.graphs) out.line(line_of(g));
  }
  return kOk;
}

}  // namespace assay::cli
