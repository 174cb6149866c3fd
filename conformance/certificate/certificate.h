// SPDX-License-Identifier: Apache-2.0
// Certificates: what a run of the suite on one implementation came to, as data, as the directory that is
// published (certificate.json, certificate.md, junit.xml, report.html, failures/), and read again. Every
// document is a function of certificate.json and the catalogue alone, so that an edited one shows
// (verify.h). It runs no case and trusts no text of an implementation.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/certificate/judge.h"
#include "conformance/certificate/rows.h"

namespace assay::conformance {

struct Implementation {
  std::string name, version;  // as its hello says
  std::string way;            // "process" or "library"
  std::string command;        // the command line, or the library's path
  std::vector<Op> ops;        // that it lists
  std::vector<std::string> unknown_ops = {};  // names it lists that are no op's
};

// What a run knows beside its cases.
struct RunFacts {
  std::string suite_version, suite_hash;  // hash: SHA-256 of the suite, 64 hex digits
  Implementation implementation;
  std::uint64_t seed = 0, generated = 0;  // of generated cases, and how many
  std::string date;                       // "2026-11-30"
  std::string asked;                      // letters of the levels, "DSILN"
  std::vector<CutOp> cut;
  OrderCheck order;
};

struct Certificate {
  RunFacts run;
  std::vector<CaseRow> cases;  // ascending by id
  std::vector<Waiver> waivers;
  // Computed from the above (compute), never to be filled by hand:
  Counts counts;
  std::vector<RequirementRow> requirements;  // of the whole catalogue
  std::vector<LevelRow> levels;              // all seven
  std::vector<std::string> problems;         // of the run itself: no case, waivers that do not fit, order
  bool held = false;                         // every level asked for is, at least one was, and there is no problem
};

// A case and its result as a row, texts made clean. `shown` is show()'s, or empty.
CaseRow row_of(const Case& c, const Result& result, std::vector<Shown> shown = {});

// results[i] is of cases[i], settled. The rows' windows are taken from `shown` by case id, and the digests of
// failure directories from `files` (failure.h).
Certificate make_certificate(RunFacts run, std::span<const Case> cases, std::span<const Result> results,
                             std::map<std::string, std::vector<Shown>> shown,
                             std::map<std::string, std::map<std::string, std::string>> files,
                             std::vector<Waiver> waivers, Catalogue catalogue);

// Fills what is computed; the rows' `waived` among it.
void compute(Certificate& certificate, Catalogue catalogue);

// 0: every level asked for is held, 1: not. (2, could not judge, is the caller's to know.)
int exit_code(const Certificate& certificate);

// The documents, each of a valid Certificate; they end with a newline.
std::string certificate_json(const Certificate& certificate);
std::string certificate_markdown(const Certificate& certificate, Catalogue catalogue);
std::string junit_xml(const Certificate& certificate);
std::string report_html(const Certificate& certificate, Catalogue catalogue);

// certificate.json as it was written; computed parts are read as they stand there. Any text gives a
// certificate or one line on what is wrong.
tl::expected<Certificate, std::string> read_certificate(std::string_view json);

inline constexpr const char* kDocuments[] = {"certificate.json", "certificate.md", "junit.xml", "report.html"};
// All four by name.
std::map<std::string, std::string> documents_of(const Certificate& certificate, Catalogue catalogue);

// Writes the four into a directory, made with its parents; what else lies there stays. Errors are one line.
tl::expected<void, std::string> write_certificate(const std::string& directory, const Certificate& certificate,
                                                  Catalogue catalogue);

}  // namespace assay::conformance
