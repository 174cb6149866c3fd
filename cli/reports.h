// SPDX-License-Identifier: Apache-2.0
// What the commands found out, as values, and their JSON forms. Plain text is each command's own.
// Every function returns one JSON object with a newline; text that is no UTF-8 is replaced inside,
// integers beyond 2^53 are decimal strings (conformance.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/requirements.h"
#include "oracle/base/result.h"
#include "oracle/image/image.h"
#include "oracle/lower/lower.h"
#include "oracle/records/kbin.h"

namespace assay::cli {

struct GraphReport {
  std::string name;
  std::string file;  // path written, or empty
  std::uint64_t image_bytes = 0, variables = 0, queues = 0, descriptors = 0;
  std::uint32_t crc32 = 0;
  std::array<std::uint32_t, 5> ninstr{};  // act, dve, pe, pool, sp
  std::vector<Place> assumed;
};
inline constexpr const char* kEngineNames[5] = {"act", "dve", "pe", "pool", "sp"};

struct LowerReport {
  ArchType target = ArchType::INVALID;
  std::vector<GraphReport> graphs;
  GraphIo io;
};

struct CheckReport {
  std::string image;
  std::string error;  // I/O; then nothing else is set
  Inspection inspection;
  std::vector<Note> notes;
};

struct DiffSummary {
  std::string a, b;
  bool strict = false, equal = false;
  DiffReport report;
  std::vector<Finding> findings_a, findings_b;
};

struct MemberRow {
  std::string path;
  std::uint64_t bytes;
};

enum class Digest { matches, differs, of_nothing };
struct NeffHeaderReport {
  neff_header_t header;
  std::optional<std::uint64_t> archive_bytes;  // absent where the header is refused
  std::optional<Digest> digest;
  std::optional<Refusal> refusal;
};

std::string to_json(const Refusal& refusal);  // {"refused":{...}}
std::string to_json(const LowerReport& report);
std::string to_json(const std::vector<CheckReport>& reports);
std::string to_json(const DiffSummary& summary);
std::string to_json(const std::vector<MemberRow>& members);
std::string to_json(const NeffHeaderReport& report);
std::string unpacked_json(const std::string& directory, std::uint64_t files, std::uint64_t bytes);
std::string packed_json(const std::string& file, std::uint64_t members, std::uint64_t bytes);
std::string to_json(const Explanation& e);

const char* text_of(Digest digest);

// "mem_ref_set.mem[3].size" -> "mem_ref_set.mem[3]" and "size".
struct SplitPath {
  std::string record, field;
};
SplitPath split_path(const std::string& path);

}  // namespace assay::cli
