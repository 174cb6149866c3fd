// SPDX-License-Identifier: Apache-2.0
#include "conformance/certificate/failure.h"

#include <fmt/format.h>

#include "conformance/certificate/images.h"
#include "conformance/certificate/text.h"
#include "conformance/protocol/requests.h"
#include "conformance/suite/told.h"
#include "harness/cases/files.h"
#include "oracle/image/image.h"

namespace assay::conformance {
namespace {

using Files = std::map<std::string, std::string>;

// The input in its real format.
void put_input(const Case& c, Files& files) {
  files["request.json"] = c.request + "\n";
  if (c.op == Op::lower) {
    if (const auto q = lower_request(std::string_view(c.request)))
      if (const Buffer* definition = q->members->find(q->request.definition)) files["def.json"] = definition->text();
  } else if (c.op == Op::lower_neff) {
    if (const auto q = lower_neff_request(std::string_view(c.request))) files["input.neff"] = as_text(q->request.neff);
  } else if (c.op == Op::decode) {
    if (const auto image = decode_request(std::string_view(c.request))) files["input.kbin"] = image->text();
  }
}

std::string differences(const std::vector<Buffer>& expected, const std::vector<Buffer>& actual) {
  std::string out;
  for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) {
    const Inspection a = inspect(expected[i].view()), b = inspect(actual[i].view());
    for (const Finding& f : b.findings)
      out += fmt::format("image {}: {} (byte {}): {} ({}): {}\n", i, f.path, f.offset, row_of(f.reason).text,
                         row_of(f.reason).requirement, f.detail);
    if (!b.view) out += fmt::format("image {}: cannot be walked\n", i);
    if (!a.view || !b.view) continue;
    const DiffReport report = diff(*a.view, *b.view);
    for (const auto* list : {&report.high, &report.lower})
      for (const Difference& d : *list)
        out += fmt::format("image {}: {}: expected {}, actual {}{}\n", i, d.path, d.a, d.b,
                           d.grade == Grade::high ? "" : " (below must)");
  }
  return out;
}

std::string requirement_text(const Result& result, Catalogue catalogue) {
  std::string out;
  if (!result.why.empty()) out += fmt::format("{}: {}\n", name_of(result.outcome), clean(result.why));
  for (const harness::Violation& v : result.violations) {
    const Requirement* row = find_requirement(catalogue, v.requirement);
    out += fmt::format("{} ({}): {}\n  at {}\n  expected {}\n  actual   {}\n", v.requirement,
                       row == nullptr ? "must" : row->level, row == nullptr ? "" : row->statement, clean(v.place),
                       clean(v.expected), clean(v.actual));
  }
  return out;
}

}  // namespace

std::string directory_of_case(const std::string& id) {
  std::string out;
  for (const char c : id.substr(0, 80)) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    out += plain ? c : '-';
  }
  return out + "-" + sha256_hex(id).substr(0, 8);
}

Files failure_files(const Case& whole, const Answered& first, const Result& result,
                    const std::optional<Smaller>& smaller, const std::string& replay, Catalogue catalogue) {
  const Case& c = smaller ? smaller->c : whole;
  const Answered& answered = smaller ? smaller->answered : first;
  Files files;
  put_input(c, files);
  const std::string violated = requirement_text(result, catalogue);
  std::string& told = files["requirement.txt"];
  told = smaller ? requirement_text(judge(c, answered, catalogue), catalogue) : violated;
  if (told != violated) told += "\nThe files here are a smaller case that fails alike. Of the case itself:\n" + violated;
  if (!whole.comment.empty()) told += fmt::format("case {}: {}\n", whole.id, clean(whole.comment));
  files["replay.txt"] = replay + "\n";
  if (!c.answer.empty()) files["expected.json"] = c.answer + "\n";
  files["actual.json"] = (answered ? canonical(*answered) : "null") + "\n";
  const std::vector<Buffer> expected = images_of(c.op, c.answer),
                            actual = answered ? images_of(c.op, answered->body) : std::vector<Buffer>();
  for (std::size_t i = 0; i < expected.size(); ++i) files[fmt::format("expected-{}.kbin", i)] = expected[i].text();
  for (std::size_t i = 0; i < actual.size(); ++i) files[fmt::format("actual-{}.kbin", i)] = actual[i].text();
  const std::string fields = differences(expected, actual);
  if (!fields.empty()) files["fields.txt"] = fields;
  return files;
}

tl::expected<void, std::string> write_documents(const std::string& directory, const Files& files) {
  if (auto made = harness::make_directories(directory); !made) return made;
  for (const auto& [name, bytes] : files)
    if (auto written = harness::write_whole(directory + "/" + name, bytes); !written) return written;
  return {};
}

tl::expected<Files, std::string> write_failure(const std::string& directory, const Case& c, const Answered& answered,
                                               const Result& result, const Shrink& shrink, const std::string& replay,
                                               Catalogue catalogue) {
  try {
    std::optional<Smaller> smaller;
    if (shrink) smaller = shrink(c, result);
    const Files files = failure_files(c, answered, result, smaller, replay, catalogue);
    const auto written = write_documents(fmt::format("{}/{}/{}", directory, kFailures, directory_of_case(c.id)), files);
    if (!written) return tl::unexpected<std::string>(written.error());
    Files digests;
    for (const auto& [name, bytes] : files) digests[name] = sha256_hex(bytes);
    return digests;
  } catch (const std::exception& e) {
    return tl::unexpected<std::string>(std::string("failure of ") + c.id + ": " + e.what());
  }
}

}  // namespace assay::conformance
