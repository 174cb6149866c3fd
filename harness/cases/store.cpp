// SPDX-License-Identifier: Apache-2.0
// Stored cases on disk, and bare files of the real formats as the cases they are.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "harness/cases/case_json.h"
#include "harness/cases/files.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

using Error = tl::unexpected<std::string>;

// Every file that a stored case can have.
constexpr const char* kFiles[] = {"case.json", "input.neff", "input.kbin", "input.json",
                                  "twin.neff", "twin.kbin",  "members.json", "reason.txt", "expected.json"};
constexpr char kExpected[] = "expected";  // directory of the images that the answer names

std::string below(const std::string& directory, const std::string& name) {
  return directory.empty() || directory.back() == '/' ? directory + name : directory + "/" + name;
}

bool ends_in(std::string_view name, std::string_view tail) {
  return name.size() >= tail.size() && name.substr(name.size() - tail.size()) == tail;
}
bool is_image(std::string_view name) { return ends_in(name, ".kbin"); }

Stored<std::vector<FoundCase>> bare_members(const std::string& path, const Members& members) {
  constexpr std::optional<ArchType> kTried[] = {std::nullopt, ArchType::SUNDA, ArchType::CAYMAN, ArchType::MARIANA};
  std::vector<FoundCase> found;
  for (const auto& arch : kTried) {
    Options options;
    options.arch = arch;
    const auto lowered = lower_members(members, options);
    if (lowered) {
      found.push_back({path, ModelCase{from_members(members, options)},
                       arch ? std::string(case_json::arch_name(*arch)) : "", {}});
      if (!arch) break;
    } else if (lowered.error().reason != Reason::target_open) {
      return Error(fmt::format("{}: fits no property: a bare model must lower, and this one is {}", path,
                               lowered.error().text()));
    }
  }
  return found;
}

Stored<std::vector<FoundCase>> bare_file(const std::string& path) {
  const auto bytes = read_whole(path);
  if (!bytes) return Error(bytes.error());
  if (ends_in(path, ".json"))
    return Error(fmt::format("{}: a lone definition is no stored case and names no architecture: give the directory "
                             "of the whole model (with its neff.json or kelf-*.json), its NEFF file, or the directory "
                             "of a stored case", path));
  const Buffer file(*bytes);
  std::vector<FoundCase> found;
  if (bytes->compare(0, 8, image::kMagic, 8) == 0) {
    if (const auto view = decode(file.view()); !view)
      return Error(fmt::format("{}: fits no property: a bare image must be valid, and this one is {}", path,
                               view.error().text()));
    found.push_back({path, ImageCase{Buffer(*bytes)}, {}, {}});
    return found;
  }
  const auto members = read_neff(file.view(), {});
  if (!members)
    return Error(fmt::format("{}: fits no property: neither an image nor a NEFF file that can be read: {}", path,
                             members.error().text()));
  return bare_members(path, *members);
}

Stored<std::vector<FoundCase>> in_directory(const std::string& path, int depth) {
  std::vector<FoundCase> found;
  if (is_file(below(path, "case.json"))) {
    auto files = read_files(path);
    if (!files) return Error(files.error());
    auto c = case_of(*files);
    if (!c) return Error(path + ": " + c.error());
    found.push_back({path, std::move(*c), {}, std::move(*files)});
    return found;
  }
  const auto names = names_in(path);
  if (!names) return Error(names.error());
  // What looks like a case and cannot be read is not passed over.
  const auto is_there = [&](const std::string& name) { return std::find(names->begin(), names->end(), name) != names->end(); };
  if (is_there("case.json")) return Error(below(path, "case.json") + ": is no regular file");
  for (const std::string& name : *names)
    if (name == "neff.json" || (name.compare(0, 5, "kelf-") == 0 && name.find(".json") != std::string::npos)) {
      std::string io_error;
      const auto members = read_directory(path, {}, io_error);
      if (!io_error.empty()) return Error(io_error);
      if (!members) return Error(path + ": " + members.error().text());
      return bare_members(path, *members);
    }
  constexpr int kDepth = 8;
  for (const std::string& name : *names) {
    const std::string inner = below(path, name);
    Stored<std::vector<FoundCase>> more;
    if (is_directory(inner)) {
      if (depth == kDepth) return Error(inner + ": directories nested too deep, or in a circle");
      more = in_directory(inner, depth + 1);
    } else if (ends_in(name, ".neff") || is_image(name)) {
      if (!is_file(inner)) return Error(inner + ": is no regular file");
      more = bare_file(inner);
    }
    if (!more) return more;
    for (FoundCase& f : *more) found.push_back(std::move(f));
  }
  return found;
}

}  // namespace

Stored<> write_files(const std::string& directory, const CaseFiles& files) {
  if (auto made = make_directories(directory); !made) return made;
  for (const char* name : kFiles)
    if (files.find(name) == files.end()) ::unlink(below(directory, name).c_str());
  const std::string images = below(directory, kExpected);
  bool with_images = false;
  for (const auto& file : files) with_images |= file.first.find('/') != std::string::npos;
  if (with_images)
    if (auto made = make_directories(images); !made) return made;
  if (const auto names = names_in(images))
    for (const std::string& name : *names)
      if (is_image(name) && files.find(below(kExpected, name)) == files.end()) ::unlink(below(images, name).c_str());
  for (const auto& [name, bytes] : files)
    if (auto written = write_whole(below(directory, name), bytes); !written) return written;
  return {};
}

Stored<> write_case(const std::string& directory, const Case& c, const std::string& reason) {
  const auto files = files_of(c, reason);
  if (!files) return Error(directory + ": " + files.error());
  return write_files(directory, *files);
}

Stored<CaseFiles> read_files(const std::string& directory) {
  std::vector<std::string> names(std::begin(kFiles), std::end(kFiles));
  if (const auto images = names_in(below(directory, kExpected)))
    for (const std::string& name : *images)
      if (is_image(name)) names.push_back(below(kExpected, name));
  CaseFiles files;
  for (const std::string& name : names) {
    const std::string path = below(directory, name);
    if (!is_file(path)) continue;
    auto bytes = read_whole(path);
    if (!bytes) return Error(bytes.error());
    files[name] = std::move(*bytes);
  }
  return files;
}

Stored<Case> read_case(const std::string& directory) {
  const auto files = read_files(directory);
  if (!files) return Error(files.error());
  auto c = case_of(*files);
  if (!c) return Error(directory + ": " + c.error());
  return c;
}

Stored<std::vector<FoundCase>> cases_of(const std::string& path) {
  auto found = is_directory(path) ? in_directory(path, 0) : bare_file(path);
  if (found && found->empty())
    return Error(path + ": holds no case: neither a stored one (case.json), nor a model, nor an image");
  return found;
}

}  // namespace assay::harness
