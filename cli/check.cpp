// SPDX-License-Identifier: Apache-2.0
// assay check: every finding of every image, one line each.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/neff_fields.h"
#include "cli/progress.h"
#include "cli/reports.h"
#include "cli/text.h"

namespace assay::cli {
namespace {

void print(const CheckReport& r, Out& out) {
  const std::string image = escape_word(r.image);
  for (const Finding& f : r.inspection.findings) {
    const ReasonRow& row = row_of(f.reason);
    const SplitPath path = split_path(f.path);
    std::string line = fmt::format(
        "{}: {} {} record={} field={} offset={}: {}", image,
        paint(STDOUT_FILENO, Colour::red, "finding"), row.requirement,
        path.record.empty() ? "-" : path.record, path.field.empty() ? "-" : path.field, f.offset,
        row.text);
    if (!f.detail.empty()) line += ": " + escape_text(f.detail);
    out.line(line);
  }
  if (r.inspection.truncated)
    out.line(fmt::format("{}: more findings than the {} shown", image,
                         r.inspection.findings.size()));
  for (const Note& n : r.notes)
    out.line(fmt::format("{}: {} {} record={}: {}", image,
                         paint(STDOUT_FILENO, Colour::yellow, "note"), n.requirement, n.path,
                         escape_text(n.text)));
  if (r.inspection.findings.empty()) {
    const ImageHeader& h = r.inspection.view->header();
    out.line(fmt::format("{}: ok image_bytes={} crc32={:08x} target={} subgraph={} records={}",
                         image, h.image_size, h.crc32, arch_name(static_cast<ArchType>(h.target)),
                         h.subgraph, h.dir_count));
  }
}

}  // namespace

Exit run_check(const CheckArgs& args, Out& out) {
  std::vector<CheckReport> reports;
  Exit code = kOk;
  for (const std::string& path : args.images) {
    ProgressLine line;
    line.at("checking " + path);
    CheckReport r;
    r.image = path;
    const auto file = read_file(path);
    if (file) {
      r.inspection = inspect(file->view());
      if (r.inspection.view) r.notes = later_stage_notes(*r.inspection.view);
      if (!r.inspection.findings.empty() && code == kOk) code = kRefused;
    } else {
      r.error = file.error();
    }
    line.stop();
    if (!r.error.empty()) code = fail(r.error);
    if (args.json) {
      reports.push_back(std::move(r));  // of its view only the header is looked at: the bytes go
    } else if (r.error.empty()) {
      print(r, out);
    }
  }
  if (args.json) out.write(to_json(reports));
  return code;
}

}  // namespace assay::cli
