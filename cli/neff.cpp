// SPDX-License-Identifier: Apache-2.0
// assay neff ls, header and pack.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/neff_fields.h"
#include "cli/output_files.h"
#include "cli/progress.h"
#include "cli/reports.h"
#include "cli/text.h"
#include "oracle/container/container.h"

namespace assay::cli {

Exit run_neff_ls(const NeffLsArgs& args, Out& out) {
  const auto file = read_file(args.file);
  if (!file) return fail(file.error());
  Options options;
  options.limits = args.limits;
  const auto members = read_neff(file->view(), options);
  if (!members) return refused(members.error(), args.json, out);
  if (!args.json) {
    for (const auto& [path, bytes] : *members)
      out.line(fmt::format("{:>12} {}", bytes.size(), escape_text(path)));
    return kOk;
  }
  std::vector<MemberRow> rows;
  for (const auto& [path, bytes] : *members) rows.push_back({path, bytes.size()});
  out.write(to_json(rows));
  return kOk;
}

namespace {

std::string value_of(const HeaderField& f) {
  if (f.name == "feature_bits") return fmt::format("{:#x}", f.integer);
  if (f.is_integer) return std::to_string(f.integer);
  if (f.is_text) return "\"" + escape_text(f.bytes) + "\"";
  std::string hex;
  for (const char c : f.bytes) hex += fmt::format("{:02x}", static_cast<std::uint8_t>(c));
  return hex;
}

}  // namespace

// A refused header is shown as well: it is then that one wants to see it.
Exit run_neff_header(const NeffHeaderArgs& args, Out& out) {
  const auto file = read_file(args.file);
  if (!file) return fail(file.error());
  const auto header = read_header(file->view());
  if (!header && file->size() < kHeaderBytes) return refused(header.error(), args.json, out);
  NeffHeaderReport report;
  report.header = load<neff_header_t>(file->data());
  if (header) {
    const ByteView archive = archive_of(file->view(), *header);
    const auto digest = verify_digest(*header, archive);
    report.archive_bytes = archive.size();
    report.digest = digest                                                 ? Digest::matches
                    : digest.error().reason == Reason::digest_of_nothing ? Digest::of_nothing
                                                                           : Digest::differs;
  } else {
    report.refusal = header.error();
  }
  if (args.json) {
    out.write(to_json(report));
  } else {
    for_each_field(report.header, [&out](const HeaderField& f) {
      out.line(fmt::format("{:>6}  {:<20} {}", f.offset, f.name, value_of(f)));
    });
    if (report.digest)
      out.line(fmt::format("archive of {} bytes, digest {}", *report.archive_bytes,
                           text_of(*report.digest)));
  }
  return header ? kOk : refused(*report.refusal, false, out);
}

Exit run_neff_pack(const NeffPackArgs& args, Out& out) {
  ProgressLine line;
  line.at("packing " + args.directory);
  std::string failure;
  const auto members = read_directory(args.directory, args.limits, failure);
  auto packed = [&]() -> Result<Buffer> {
    if (!members) return tl::unexpected<Refusal>(members.error());
    PackOptions options;
    options.pkg_version = args.pkg_version;
    options.major = args.major;
    options.minor = args.minor;
    options.feature_bits = args.feature_bits;
    options.name = args.name;
    return pack(*members, options);
  };
  auto file = failure.empty() ? packed() : Result<Buffer>();
  line.stop();
  if (!failure.empty()) return fail(failure);
  if (!file) return refused(file.error(), args.json, out);

  const auto slash = args.output.rfind('/');
  const std::string name = slash == std::string::npos ? args.output : args.output.substr(slash + 1);
  if (name.empty()) return fail(args.output + ": a file's name is expected");
  OutputFiles files(slash == std::string::npos ? "" : args.output.substr(0, slash + 1));
  if (auto added = files.add(name, file->view()); !added) return fail(added.error());
  if (auto committed = files.commit(); !committed) return fail(committed.error());
  if (args.json) {
    out.write(packed_json(args.output, members->size(), file->size()));
  } else {
    out.line(fmt::format("file={} members={} bytes={}", escape_word(args.output), members->size(),
                         file->size()));
  }
  return kOk;
}

}  // namespace assay::cli
