// SPDX-License-Identifier: Apache-2.0
// assay dump: what can be walked is printed; what is wrong besides is told as by `check`.
#include "oracle/image/dump.h"

#include "cli/commands.h"

namespace assay::cli {

Exit run_dump(const DumpArgs& args, Out& out) {
  auto file = read_file(args.image);
  if (!file) return fail(file.error());
  const Inspection found = inspect(file->view());
  if (!found.view) return refused(refusal_of(found.findings.front(), args.image), args.json, out);
  const DumpOptions options{args.select, args.hex};
  out.write(args.json ? dump_json(*found.view, options) : dump_text(*found.view, options));
  for (const Finding& f : found.findings) complain(refusal_of(f, args.image).text());
  return found.findings.empty() ? kOk : kRefused;
}

}  // namespace assay::cli
