// SPDX-License-Identifier: Apache-2.0
#include "cli/args.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/args_parts.h"
#include "oracle/base/bytes.h"

namespace assay::cli {

void add_json(CLI::App* app, bool& json) {
  app->add_flag("--json", json, "Print one JSON object instead of text");
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  const bool hex = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
  if (hex) text.remove_prefix(2);
  std::uint64_t v = 0;
  const auto r = std::from_chars(text.data(), text.data() + text.size(), v, hex ? 16 : 10);
  if (r.ec != std::errc{} || r.ptr != text.data() + text.size()) return std::nullopt;
  return v;
}

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 ok, 1 refused or findings, 2 usage or I/O, 3 unspecified;\n"
    "130 and 143: prove, gen, replay, reduce, fuzz, certify or selftest was interrupted (SIGINT, SIGTERM).";

// "4G": K, M, G and T are powers of 1024.
std::optional<std::uint64_t> size_number(std::string_view text) {
  constexpr std::string_view kSuffixes = "KMGT";
  const std::size_t at =
      text.empty() ? std::string_view::npos : kSuffixes.find(text.back() & ~0x20);
  if (at == std::string_view::npos) return whole_number(text);
  text.remove_suffix(1);
  const auto v = whole_number(text);
  std::uint64_t bytes = 0;
  if (!v || !checked_mul(*v, std::uint64_t{1024} << (10 * at), bytes)) return std::nullopt;
  return bytes;
}

using NumberReader = std::optional<std::uint64_t> (*)(std::string_view);

CLI::Option* add_number(CLI::App* app, const char* name, std::uint64_t& to, NumberReader read,
                        const char* what, const std::string& help) {
  return app
      ->add_option_function<std::string>(
          name,
          [=, &to](const std::string& text) {
            const auto v = read(text);
            if (!v) throw CLI::ValidationError(name, number_error(text, what));
            to = *v;
          },
          help)
      ->type_name(read == size_number ? "SIZE" : "N");
}

void add_archive_limits(CLI::App* app, Limits& limits) {
  const char* const kSize = "size in bytes, such as 4294967296 or 4G,";
  add_number(app, "--max-expanded-bytes", limits.expanded_bytes, size_number, kSize,
             "Refuse an input whose members hold more bytes in all (default 4G; K, M, G and T are "
             "powers of 1024)");
  add_number(app, "--max-members", limits.members, size_number, "number",
             "Refuse an input of more members (default 1M)");
}

// --fp8 KEY=VALUE (FP8-004). An empty string is returned when the value was taken.
std::string take_fp8(const std::string& text, Fp8Overrides& out) {
  const auto equals = text.find('=');
  const std::string key = text.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  const auto boolean = [&](std::optional<bool>& to) -> std::string {
    if (value != "true" && value != "false") return "--fp8 " + key + ": true or false is expected";
    to = value == "true";
    return {};
  };
  const auto integer = [&](std::optional<std::uint32_t>& to) -> std::string {
    std::uint32_t v = 0;
    const char* const end = value.data() + value.size();
    const auto r = std::from_chars(value.data(), end, v);
    if (value.empty() || r.ec != std::errc{} || r.ptr != end)
      return "--fp8 " + key + ": an integer 0..4294967295 is expected";
    to = v;
    return {};
  };
  if (key == "fp8_range_extension") return boolean(out.fp8_range_extension);
  if (key == "emax_fp8_e4m3") return integer(out.emax_fp8_e4m3);
  if (key == "emax_fp8_e5m2") return integer(out.emax_fp8_e5m2);
  if (key == "ocp_sat") return boolean(out.ocp_sat);
  if (key == "fp8_sis") return boolean(out.fp8_sis);
  if (key == "fp8_sns") return boolean(out.fp8_sns);
  return "--fp8: no such key: " + key +
         " (fp8_range_extension, emax_fp8_e4m3, emax_fp8_e5m2, ocp_sat, fp8_sis, fp8_sns)";
}

struct Parsed {
  LowerArgs lower;
  DumpArgs dump;
  CheckArgs check;
  DiffArgs diff;
  NeffLsArgs ls;
  NeffHeaderArgs header;
  NeffUnpackArgs unpack;
  NeffPackArgs pack;
  ExplainArgs explain;
  std::vector<std::string> lower_words, fp8;
  std::string arch, neff_version = "2.0", pkg_version = "2";
  HarnessParsed harness;
  ConformanceParsed conformance;
};

CLI::App* add_lower(CLI::App& app, Parsed& p) {
  CLI::App* c = app.add_subcommand("lower", "Lower a model: one KBIN image per sub-graph");
  c->add_option("INPUT", p.lower_words,
                "A NEFF file, a directory with its members, or a lone def.json beside its members")
      ->required()->type_name("");
  c->add_option("-o,--output", p.lower.output,
                "Write DIR/<graph name>.kbin; a name that is no plain file name becomes sgNN")
      ->check([](const std::string& dir) {
        return dir.empty() ? std::string("a directory is expected") : std::string();
      })
      ->type_name("DIR");
  c->add_option("--arch", p.arch, "The instance's architecture: sunda, cayman or mariana")
      ->check(CLI::IsMember({"sunda", "cayman", "mariana"}))->type_name("ARCH");
  c->add_flag("--allow-legacy", p.lower.options.allow_legacy,
              "Accept a model of an older architecture where the runtime would");
  c->add_flag("--verify-digest", p.lower.options.verify_digest,
              "Check the archive against the header's digest");
  c->add_option("--fp8", p.fp8, "Override a key of fp8_conversion_config; may be repeated")
      ->allow_extra_args(false)->type_name("KEY=VALUE");
  c->add_flag("--assume-no-signals", p.lower.options.assume_no_signals,
              "Lower as if event, semaphore and remote_semaphores of blocks were not there");
  add_archive_limits(c, p.lower.options.limits);
  add_number(c, "--max-image-bytes", p.lower.options.limits.image_bytes, size_number,
             "size in bytes, such as 4294967296 or 4G,",
             "Refuse a model whose sub-graphs lower to more bytes in all (default 4G)");
  add_json(c, p.lower.json);
  c->footer(
      "Example:\n  assay lower model.neff -o out\n  assay lower sg00/def.json --arch cayman\n");
  return c;
}

void add_image_commands(CLI::App& app, Parsed& p) {
  CLI::App* c = app.add_subcommand("dump", "Print every record and field of an image");
  c->add_option("IMAGE", p.dump.image, "A KBIN image")->required();
  c->add_option("--select", p.dump.select, "Only paths that match: * any run, ? any character")
      ->type_name("PATTERN");
  c->add_flag("--hex", p.dump.hex, "Show the bytes of every value too");
  add_json(c, p.dump.json);
  c->footer("Example:\n  assay dump out/sg00.kbin --select 'mem_ref_set.mem[*].name'\n");

  c = app.add_subcommand("check", "Verify images against every IMG requirement");
  c->add_option("IMAGE", p.check.images, "KBIN images")->required();
  add_json(c, p.check.json);
  c->footer("Example:\n  assay check out/*.kbin\n");

  c = app.add_subcommand("diff", "Compare two images path by path");
  c->add_option("A", p.diff.a, "A KBIN image")->required();
  c->add_option("B", p.diff.b, "Another")->required();
  c->add_flag("--strict", p.diff.strict, "Count differences in medium and ruling fields as well");
  add_json(c, p.diff.json);
  c->footer("Example:\n  assay diff out/sg00.kbin other/sg00.kbin\n");

  c = app.add_subcommand("explain", "Say what a requirement states and which tests cite it");
  c->add_option("ID", p.explain.id, "A requirement (IMG-013) or a reason (image-pointer)")
      ->required();
  add_json(c, p.explain.json);
  c->footer("Example:\n  assay explain CON-014\n");
}

void add_neff(CLI::App& app, Parsed& p) {
  CLI::App* neff = app.add_subcommand("neff", "List, show, unpack and pack NEFF files");
  neff->require_subcommand(1);
  neff->footer("Example:\n  assay neff ls model.neff\n");

  CLI::App* c = neff->add_subcommand("ls", "List the members with their bytes");
  c->add_option("FILE", p.ls.file, "A NEFF file")->required();
  add_archive_limits(c, p.ls.limits);
  add_json(c, p.ls.json);
  c->footer("Example:\n  assay neff ls model.neff\n");

  c = neff->add_subcommand("header", "Print the header's fields and judge its digest");
  c->add_option("FILE", p.header.file, "A NEFF file")->required();
  add_json(c, p.header.json);
  c->footer("Example:\n  assay neff header model.neff\n");

  c = neff->add_subcommand("unpack", "Write the members below a new or empty directory");
  c->add_option("FILE", p.unpack.file, "A NEFF file")->required();
  c->add_option("-o,--output", p.unpack.output, "Made with its parents; nothing is written outside")
      ->required()->type_name("DIR");
  c->add_flag("--verify-digest", p.unpack.options.verify_digest,
              "Check the archive against the header's digest");
  add_archive_limits(c, p.unpack.options.limits);
  add_json(c, p.unpack.json);
  c->footer("Example:\n  assay neff unpack model.neff -o model\n");

  c = neff->add_subcommand("pack", "Make a NEFF file of a directory's files");
  c->add_option("DIRECTORY", p.pack.directory, "Links in it are left out")->required();
  c->add_option("-o,--output", p.pack.output, "The NEFF file")->required()->type_name("FILE");
  c->add_option("--pkg-version", p.pkg_version,
                "1: plain tar and SHA-256; 2 (default): gzip and MD5")
      ->check(CLI::IsMember({"1", "2"}))->type_name("N");
  c->add_option("--neff-version", p.neff_version, "Default 2.0")->type_name("MAJOR.MINOR");
  add_number(c, "--features", p.pack.feature_bits, whole_number, "number of 64 bits",
             "feature_bits, such as 5 or 0x5 (default 0)")
      ->type_name("BITS");
  c->add_option("--name", p.pack.name, "The header's name (default empty)")->type_name("NAME");
  add_archive_limits(c, p.pack.limits);
  add_json(c, p.pack.json);
  c->footer("Example:\n  assay neff pack model -o model.neff --pkg-version 1\n");
}

// What CLI11 leaves to be said: architectures, fp8 values, versions. Returns a usage error or "".
std::string finish_lower(Parsed& p) {
  Options& options = p.lower.options;
  if (p.arch == "sunda") options.arch = ArchType::SUNDA;
  if (p.arch == "cayman") options.arch = ArchType::CAYMAN;
  if (p.arch == "mariana") options.arch = ArchType::MARIANA;
  // In `--fp8 a=1 b=2 model.neff` only a=1 is the option's; a later one counts, as everywhere.
  for (const std::string& word : p.lower_words) {
    Fp8Overrides unused;
    if (!p.fp8.empty() && take_fp8(word, unused).empty()) {
      p.fp8.push_back(word);
    } else if (p.lower.input.empty()) {
      p.lower.input = word;
    } else {
      return "one INPUT is expected; also given: " + word;
    }
  }
  if (p.lower.input.empty()) return "INPUT is required";
  for (const std::string& word : p.fp8)
    if (std::string error = take_fp8(word, options.fp8); !error.empty()) return error;
  return {};
}

std::string finish_pack(Parsed& p) {
  p.pack.pkg_version = p.pkg_version == "1" ? 1 : 2;
  const std::string& text = p.neff_version;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, p.pack.major);
  if (major.ec == std::errc{} && major.ptr != end && *major.ptr == '.') {
    const auto minor = std::from_chars(major.ptr + 1, end, p.pack.minor);
    if (minor.ec == std::errc{} && minor.ptr == end) return {};
  }
  return "--neff-version: MAJOR.MINOR is expected, such as 2.0";
}

Answer usage_error(const std::string& what, const std::string& command) {
  return {what + " (see assay " + command + (command.empty() ? "" : " ") + "--help)", true};
}

// `assay help neff ls` is `assay neff ls --help`; with nothing behind it, help of the tool itself.
std::vector<const char*> without_help(int argc, const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  const bool is_asked = argc > 1 && std::string_view(argv[1]) == "help" && (argc == 2 || argv[2][0] != '-');
  if (!is_asked) return words;
  words.erase(words.begin() + 1);
  words.push_back("--help");
  return words;
}

Command parse(int argc, const char* const* argv) {
  CLI::App app("Reference lowering of Neuron models (NEFF) into KBIN images", "assay");
  app.set_version_flag("--version", "assay " ASSAY_VERSION, "Print name and version");
  app.require_subcommand(1);
  app.footer(std::string("Example:\n  assay lower model.neff -o out\n\n") + kExitCodes);
  Parsed p;
  add_lower(app, p);
  add_image_commands(app, p);
  add_neff(app, p);
  add_harness(app, p.harness);
  add_conformance(app, p.conformance);
  app.add_subcommand("help", "Show the help of a command: assay help certificate verify")
      ->footer("Example:\n  assay help lower\n");

  std::string command;
  const auto note_command = [&] {
    for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
      at = at->get_subcommands().front();
      command += (command.empty() ? "" : " ") + at->get_name();
    }
  };
  try {
    app.parse(argc, argv);
    note_command();
  } catch (const CLI::CallForVersion&) {
    return Answer{"assay " ASSAY_VERSION "\n", false};
  } catch (const CLI::CallForHelp&) {
    std::string before;
    if (const std::string none = unknown_command(app, argc, argv, before); !none.empty())
      return usage_error(none, before);
    return Answer{app.help(), false};
  } catch (const CLI::ExtrasError& e) {
    note_command();
    const std::string words = left_over(app);
    return usage_error(words.empty() ? e.what() : "not expected:" + words, command);
  } catch (const CLI::ParseError& e) {
    note_command();
    std::string before;
    if (const std::string none = unknown_command(app, argc, argv, before); command == before && !none.empty())
      return usage_error(none, before);
    return usage_error(e.what(), command);
  }

  if (command == "lower") {
    if (const std::string bad = finish_lower(p); !bad.empty()) return usage_error(bad, command);
    return std::move(p.lower);
  }
  std::string error;
  if (auto harness = finish_harness(command, p.harness, error))
    return error.empty() ? std::move(*harness) : usage_error(error, command);
  if (auto conformance = finish_conformance(command, p.conformance, error))
    return error.empty() ? std::move(*conformance) : usage_error(error, command);
  if (command == "dump") return std::move(p.dump);
  if (command == "check") return std::move(p.check);
  if (command == "diff") return std::move(p.diff);
  if (command == "explain") return std::move(p.explain);
  if (command == "neff ls") return std::move(p.ls);
  if (command == "neff header") return std::move(p.header);
  if (command == "neff unpack") return std::move(p.unpack);
  if (error = finish_pack(p); !error.empty()) return usage_error(error, command);
  return std::move(p.pack);
}

}  // namespace

Command parse_arguments(int argc, const char* const* argv) {
  const std::vector<const char*> words = without_help(argc, argv);
  return parse(static_cast<int>(words.size()), words.data());
}

}  // namespace assay::cli
