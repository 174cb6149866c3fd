// SPDX-License-Identifier: Apache-2.0
#include "cli/fuzz_target.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cli/nearest.h"
#include "cli/text.h"
#include "fuzzers/common/real_case.h"
#include "harness/cases/files.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

std::string out_directory(const std::string& fuzzers, const FuzzForm& form) {
  return fuzzers + "/fuzz-" + form.name + "/out";
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == text.npos ? "" : std::string(text.substr(first, last - first + 1));
}

// Sections of key = value lines.
using Ini = std::map<std::string, std::map<std::string, std::string>>;
Ini read_ini(const std::string& text) {
  Ini out;
  std::string section;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = trimmed(std::string_view(text).substr(at, end - at));
    at = end + 1;
    const auto equals = line.find('=');
    if (line.size() > 1 && line.front() == '[' && line.back() == ']') section = line.substr(1, line.size() - 2);
    else if (equals != std::string::npos)
      out[section][trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
  }
  return out;
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  return error ? path : whole.lexically_normal().string();
}

}  // namespace

const std::vector<FuzzForm>& fuzz_forms() {
  static const std::vector<FuzzForm> all = {
      {"libfuzzer", "address", "asan"},
      {"libfuzzer", "undefined", "ubsan"},
      {"libfuzzer", "none", "fast"},
      {"afl", "none", "afl"},
  };
  return all;
}

Io<const FuzzForm*> fuzz_form(const FuzzArgs& args) {
  const std::string sanitizer = args.sanitizer.value_or(args.engine == "afl" ? "none" : "address");
  for (const FuzzForm& form : fuzz_forms())
    if (form.engine == args.engine && form.sanitizer == sanitizer) return &form;
  return io_error("fuzz: --engine " + args.engine + " goes without --sanitizer " + sanitizer);
}

Io<std::string> fuzzers_directory(const FuzzArgs& args) {
  const char* const set = std::getenv("ASSAY_FUZZERS");
  const std::string named = !args.fuzzers.empty() || set == nullptr ? args.fuzzers : set;
  if (!named.empty()) {
    struct stat info {};
    const int failed = ::stat(named.c_str(), &info) != 0 ? errno : S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
    if (failed != 0) return io_error("fuzz: " + errno_text(named, failed));
    return absolute(named);
  }
  std::error_code error;
  const fs::path tool = fs::read_symlink("/proc/self/exe", error);
  return (tool.parent_path() / ".." / "libexec" / "assay" / "fuzzers").lexically_normal().string();
}

std::vector<std::string> built_targets(const std::string& fuzzers, const FuzzForm& form) {
  constexpr std::string_view kEnd = ".options";
  std::vector<std::string> out;
  const std::string directory = out_directory(fuzzers, form);
  const auto names = harness::names_in(directory);
  for (const std::string& name : names.value_or(std::vector<std::string>{})) {
    if (name.size() <= kEnd.size() || name.compare(name.size() - kEnd.size(), kEnd.size(), kEnd) != 0) continue;
    const std::string target = name.substr(0, name.size() - kEnd.size());
    if (::access((directory + "/" + target).c_str(), X_OK) == 0) out.push_back(target);
  }
  return out;
}

Io<FuzzTarget> find_target(const FuzzArgs& args) {
  const auto form = fuzz_form(args);
  if (!form) return io_error(form.error());
  const auto fuzzers = fuzzers_directory(args);
  if (!fuzzers) return io_error(fuzzers.error());
  FuzzTarget t;
  t.name = args.target;
  t.form = *form;
  t.directory = out_directory(*fuzzers, **form);
  const std::vector<std::string> built = built_targets(*fuzzers, **form);
  if (std::find(built.begin(), built.end(), t.name) == built.end()) {
    std::vector<std::string_view> known(built.begin(), built.end());
    for (const fuzz::RealTarget& r : fuzz::real_targets()) known.push_back(r.name);
    if (std::find(known.begin(), known.end(), t.name) == known.end()) {
      std::sort(known.begin(), known.end());
      known.erase(std::unique(known.begin(), known.end()), known.end());
      return io_error(fmt::format("fuzz: there is no target \"{}\"{}; the targets: {}", t.name,
                                  did_you_mean(t.name, known), fmt::join(known, ", ")));
    }
    return io_error(fmt::format("fuzz: {}/{}: not built; this builds it: fuzzers/build {} (--fuzzers DIR or "
                                "ASSAY_FUZZERS name another directory of fuzzers)",
                                t.directory, t.name, (*form)->name));
  }
  t.program = t.directory + "/" + t.name;
  const auto there = [](const std::string& path) { return harness::is_file(path) ? path : std::string(); };
  t.dictionary = there(t.program + ".dict");
  t.seeds = there(t.program + "_seed_corpus.zip");
  const auto text = harness::read_whole(t.program + ".options");
  if (!text) return io_error("fuzz: " + text.error());
  t.options = std::move(read_ini(*text)["libfuzzer"]);
  return t;
}

// Its name stands among the shared libraries that the program needs. No other table says whose it is.
Io<std::string> mutators_of(const FuzzTarget& target) {
  constexpr std::string_view kBegin = "libassay_mutators_", kEnd = ".so";
  const auto program = harness::read_whole(target.program);
  if (!program) return io_error(program.error());
  for (auto at = program->find(kBegin); at != std::string::npos; at = program->find(kBegin, at + 1)) {
    const std::string name = program->substr(at, program->find_first_of(std::string_view("\0\n", 2), at) - at);
    if (name.size() < kEnd.size() || name.compare(name.size() - kEnd.size(), kEnd.size(), kEnd) != 0) continue;
    const std::string path = target.directory + "/lib/" + name;
    if (!harness::is_file(path)) return io_error(path + ": is missing");
    return path;
  }
  return std::string();
}

std::uint64_t FuzzTarget::number(const char* option, std::uint64_t otherwise) const {
  const auto it = options.find(option);
  if (it == options.end()) return otherwise;
  char* end = nullptr;
  const unsigned long long v = std::strtoull(it->second.c_str(), &end, 10);
  return end == it->second.c_str() ? otherwise : v;
}

Io<std::size_t> unpack_seeds(const std::string& zip, const std::string& directory) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;  // bytes of all files together
  const auto failed = [&](const char* what) { return io_error(fmt::format("{}: {}", zip, what)); };
  const auto error_of = [](archive* a) {
    const char* text = ::archive_error_string(a);
    return text == nullptr ? "cannot be read" : text;
  };
  const std::unique_ptr<archive, int (*)(archive*)> in(::archive_read_new(), ::archive_read_free);
  if (in == nullptr) return failed("memory ran out");
  ::archive_read_support_format_zip(in.get());
  if (::archive_read_open_filename(in.get(), zip.c_str(), 64 << 10) != ARCHIVE_OK) return failed(error_of(in.get()));
  std::size_t files = 0;
  std::int64_t left = kMost;
  archive_entry* entry = nullptr;
  int answer = ARCHIVE_OK;
  while ((answer = ::archive_read_next_header(in.get(), &entry)) == ARCHIVE_OK) {
    if (::archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* path = ::archive_entry_pathname(entry);
    const std::string name = path == nullptr ? "" : fs::path(path).filename().string();
    if (!is_plain_file_name(name)) return failed("holds a name that is no file's");
    std::string bytes;
    char chunk[64 << 10];
    la_ssize_t n = 0;
    while ((n = ::archive_read_data(in.get(), chunk, sizeof chunk)) > 0) {
      if ((left -= n) < 0) return failed("holds more than 1 GiB");
      bytes.append(chunk, static_cast<std::size_t>(n));
    }
    if (n < 0) return failed(error_of(in.get()));
    if (const auto written = harness::write_whole(directory + "/" + name, bytes); !written)
      return io_error(written.error());
    ++files;
  }
  if (answer != ARCHIVE_EOF) return failed(error_of(in.get()));
  return files;
}

}  // namespace assay::cli
