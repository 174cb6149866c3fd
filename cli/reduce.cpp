// SPDX-License-Identifier: Apache-2.0
// assay reduce: an input made smaller while a command finds it interesting. Models and images are
// reduced by their structure, in their own form; what has none, as bytes.
#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/commands.h"
#include "cli/predicate.h"
#include "cli/progress.h"
#include "cli/reduce_files.h"
#include "cli/text.h"
#include "harness/reduce/reduce.h"
#include "oracle/container/container.h"
#include "oracle/image/image.h"

namespace assay::cli {
namespace {

using harness::Model;
using harness::ReduceLimits;
using harness::ReduceStats;

std::string case_name(const std::string& input) {
  std::filesystem::path path(input);
  if (path.filename().empty()) path = path.parent_path();
  const std::string name = path.filename().string();
  return is_plain_file_name(name) ? name : "case";
}

// Judges candidates, and writes down each that is interesting.
class Search {
 public:
  explicit Search(const ReduceArgs& args)
      : args_(args), predicate_(args.predicate, args.timeout_seconds), cases_(case_name(args.input)) {}

  Io<> begin() { return cases_.open(); }

  // False as well once the search is to end.
  bool try_one(const Artefact& a) {
    if (stopped()) return false;
    line_.at(fmt::format("reducing {}: {} runs, {} bytes left", args_.input, checks, bytes_after));
    ++checks;
    const auto path = cases_.put(a);
    if (!path) return give_up(path.error());
    if (!*path) return false;
    const auto holds = predicate_.holds(**path);
    if (!holds) return give_up(holds.error());
    if (!*holds) return false;
    if (auto written = write_result(a, args_.output); !written) return give_up(written.error());
    bytes_after = a.size();
    return true;
  }
  bool try_members(const Members& members) { return try_one({&members, {}}); }
  bool try_file(ByteView bytes) { return try_one({nullptr, bytes}); }

  bool stopped() {
    if (Predicate::interrupted() || checks >= args_.max_checks) stop_ = true;
    return stop_;
  }
  ReduceLimits limits() {
    ReduceLimits l;
    l.checks = args_.max_checks;  // counted here; `stop_` ends it
    l.stop = &stop_;
    return l;
  }
  void add(const ReduceStats& stats) { accepted += stats.accepted; }
  void end_line() { line_.stop(); }
  const Predicate& predicate() const { return predicate_; }

  std::string failure;  // of I/O; it ended the search
  std::uint64_t checks = 0, accepted = 0, bytes_after = 0;

 private:
  bool give_up(const std::string& why) {
    failure = why;
    stop_ = true;
    return false;
  }

  const ReduceArgs& args_;
  Predicate predicate_;
  CaseDirectory cases_;
  ProgressLine line_;
  std::atomic<bool> stop_ = false;
};

// ---- models ----

// How members are handed to the command: as a directory, or as a NEFF file with the input's header.
struct ModelForm {
  bool directory = false;
  PackOptions pack;
};

bool try_model(Search& search, const ModelForm& form, const Model& model) {
  const Members members = to_members(model);
  if (form.directory) return search.try_members(members);
  const auto file = pack(members, form.pack);
  return file && search.try_file(file->view());
}

// The members as they are; then documents in place of those that can be one without losing what
// is interesting: all of them, or else one by one. nullopt where not even packing keeps it.
std::optional<Model> model_of(Search& search, const ModelForm& form, const Members& members) {
  Model documents = harness::from_members(members, {});
  if (try_model(search, form, documents)) return documents;
  Model model;
  for (const auto& [path, bytes] : members) model.put_bytes(path, std::string(bytes.text()));
  if (!form.directory && !try_model(search, form, model)) return std::nullopt;
  for (auto& [path, member] : documents.members) {
    if (!member.is_json()) continue;
    Model with = model;
    with.members[path] = member;
    if (try_model(search, form, with)) model = std::move(with);
  }
  return model;
}

bool reduce_members(Search& search, const ModelForm& form, const Members& members) {
  auto model = model_of(search, form, members);
  if (!model) return false;
  search.add(harness::reduce_model(
      *model, [&](const Model& candidate) { return try_model(search, form, candidate); }, search.limits()));
  return true;
}

// ---- files ----

void reduce_raw(Search& search, const Buffer& file) {
  std::string bytes(file.text());
  search.add(harness::reduce_bytes(
      bytes, [&](const std::string& candidate) { return search.try_file(as_bytes(candidate)); }, search.limits()));
}

void reduce_file(Search& search, const Buffer& file) {
  if (file.size() >= 8 && std::memcmp(file.data(), image::kMagic, 8) == 0) {
    Buffer image(file.view());
    const std::uint64_t before = search.checks;
    search.add(harness::reduce_image(
        image, [&](ByteView candidate) { return search.try_file(candidate); }, search.limits()));
    if (search.checks == before) reduce_raw(search, file);
    return;
  }
  if (const auto members = read_neff(file.view(), {})) {
    const auto header = load<neff_header_t>(file.data());
    ModelForm form;
    form.pack.pkg_version = header.pkg_version;
    form.pack.major = header.neff_version_major;
    form.pack.minor = header.neff_version_minor;
    form.pack.feature_bits = header.feature_bits;
    form.pack.name.assign(header.name, ::strnlen(header.name, sizeof header.name));
    if (reduce_members(search, form, *members)) return;
  }
  reduce_raw(search, file);
}

// ---- the command ----

struct Input {
  bool directory = false;
  Members members;
  Buffer file;
  Artefact artefact() const { return directory ? Artefact{&members, {}} : Artefact{nullptr, file.view()}; }
};

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat x {}, y {};
  return ::stat(a.c_str(), &x) == 0 && ::stat(b.c_str(), &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

// Why the search cannot begin for what was given; or "".
std::string unfit(const ReduceArgs& args, const Artefact& whole) {
  if (args.predicate.find_first_not_of(" \t\n") == std::string::npos) return "--predicate: a command is expected";
  if (is_same_file(args.input, args.output)) return args.output + ": is the input itself";
  if (whole.members != nullptr ? whole.members->size() == 0 : whole.file.empty())
    return args.input + ": is empty: nothing to reduce";
  return {};
}

Io<Result<Input>> read_input(const std::string& path) {
  Input input;
  std::error_code error;
  input.directory = std::filesystem::is_directory(path, error);
  if (!input.directory) {
    auto file = read_file(path);
    if (!file) return io_error(file.error());
    input.file = std::move(*file);
    return Result<Input>(std::move(input));
  }
  std::string failure;
  auto members = read_directory(path, {}, failure);
  if (!failure.empty()) return io_error(failure);
  if (!members) return Result<Input>(tl::unexpected<Refusal>(members.error()));
  input.members = std::move(*members);
  return Result<Input>(std::move(input));
}

std::string json_of(const ReduceArgs& args, const Search& s, std::uint64_t before, bool interrupted) {
  const auto number = [](std::uint64_t n) {
    return n > std::uint64_t{1} << 53 ? nlohmann::ordered_json(std::to_string(n)) : nlohmann::ordered_json(n);
  };
  const nlohmann::ordered_json j{{"input", args.input},
                                 {"output", args.output},
                                 {"bytes_before", number(before)},
                                 {"bytes_after", number(s.bytes_after)},
                                 {"checks", number(s.checks)},
                                 {"accepted", number(s.accepted)},
                                 {"interrupted", interrupted}};
  return j.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

Exit run_reduce(const ReduceArgs& args, Out& out) {
  if (has_bound_braces(args.predicate))
    return fail("reduce: {} in --predicate stands for the path as a word of its own; inside quotes or beside other "
                "characters write \"$ASSAY_CASE\"");
  const auto begin = std::chrono::steady_clock::now();
  auto read = read_input(args.input);
  if (!read) return fail(read.error());
  if (!*read) return refused(read->error(), args.json, out);
  const Input& input = **read;
  const Artefact whole = input.artefact();
  if (const std::string why = unfit(args, whole); !why.empty()) return fail(why);
  if (auto may = may_write(whole, args.output); !may) return fail(may.error());

  Search search(args);
  if (auto opened = search.begin(); !opened) return fail(opened.error());
  const bool interesting = search.try_one(whole);
  if (interesting && input.directory) {
    ModelForm form;
    form.directory = true;
    reduce_members(search, form, input.members);
  } else if (interesting) {
    reduce_file(search, input.file);
  }
  search.end_line();
  if (!search.failure.empty()) return fail(search.failure);
  const Predicate& predicate = search.predicate();
  const bool interrupted = Predicate::interrupted();
  if (!interesting && interrupted) {
    complain("assay: interrupted before anything was found");
    return static_cast<Exit>(128 + Predicate::signal());
  }
  if (!interesting && (predicate.could_not_run() || predicate.was_late()))
    return fail(fmt::format("the predicate {} on the input itself{}: nothing was tried", predicate.last(),
                            predicate.could_not_run() ? ", as what cannot be run does" : " (see --timeout)"));
  if (!interesting) {
    complain(fmt::format("assay: {}: not interesting to begin with: the predicate {}", args.input, predicate.last()));
    return kRefused;
  }

  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (args.json) {
    out.write(json_of(args, search, whole.size(), interrupted));
  } else {
    out.line(fmt::format("output={} bytes_before={} bytes_after={} checks={} accepted={} seconds={:.1f}{}",
                         escape_word(args.output), whole.size(), search.bytes_after, search.checks, search.accepted,
                         took.count(), interrupted ? " interrupted" : ""));
  }
  if (!interrupted) return kOk;
  complain("assay: interrupted: the output is the smallest so far");
  return static_cast<Exit>(128 + Predicate::signal());
}

}  // namespace assay::cli
