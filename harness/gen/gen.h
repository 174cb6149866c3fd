// SPDX-License-Identifier: Apache-2.0
// Generators on one source of choices. Valid by construction: nothing is made and thrown away, and
// no generator asks the oracle. Values are biased to the edges of each rule.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/choice/choices.h"
#include "harness/gen/model.h"

namespace assay::harness {

// Upper bounds of what a generator makes; most draws stay well below them.
struct GenSize {
  std::uint32_t graphs = 2, variables = 10, queues = 4, instances = 3, blocks = 4, descriptors = 3,
                groups = 3, ucode_libs = 2, functions = 3, act_sets = 2, blob_bytes = 300, text_bytes = 24;
};

struct GenOptions {
  std::optional<ArchType> target;  // none: any of the three
  GenSize size;
};

// A whole valid NEFF model: neff.json (mostly), KELF descriptor, one or more sub-graphs with every
// section and key of lowering.md in combination. It lowers.
Model gen_model(Choices& c, const GenOptions& options = {});

// ---- near-misses: a valid model and exactly one defect ----

struct NearMissKind {
  std::string_view name;  // stable, kebab-case: "var-id-gap"
  Reason reason;          // its row names the one requirement the defect breaks
};
// One row per way a requirement can be broken; every refusing Reason that a file can cause is there.
std::span<const NearMissKind> near_miss_kinds();

struct NearMiss {
  const NearMissKind* kind = nullptr;
  Model twin;    // lowers
  Model broken;  // the same, with the defect: refused for kind->reason
  Place place;   // where the refusal must stand: member and pointer (or offset); empty parts unchecked
};
NearMiss gen_near_miss(Choices& c, const NearMissKind& kind, const GenOptions& options = {});

// ---- texts: the same document in other bytes ----

// Bytes that must mean the same: white space, key order where order is free, escapes in keys and
// strings, duplicate keys after the first, unknown keys.
std::string respell(Choices& c, const Json& document);

struct BadText {
  std::string text;
  std::string_view kind;  // "trailing-garbage", "integer-as-5.0" ...
  Reason reason;          // of the refusal
};
struct MisspellingKind {
  std::string_view name;
  Reason reason;
};
// Every kind and reason that misspell() can lead to; a name may stand with two reasons.
std::span<const MisspellingKind> misspelling_kinds();
// Bytes that must not be accepted in place of the document (a def.json).
BadText misspell(Choices& c, const Json& document);

// ---- images ----

// A valid tree straight to its image, all kinds of records included; not by way of a def.json.
Buffer gen_image(Choices& c, const GenSize& size = {});

struct CorruptionKind {
  std::string_view name;  // stable, kebab-case
  Reason reason;          // an image_* row
};
std::span<const CorruptionKind> corruption_kinds();  // at least one for each refusing IMG row

struct Corruption {
  const CorruptionKind* kind = nullptr;
  Buffer image;              // checksum right unless it is the corruption
  // Where the refusal must stand, in bytes from the start of the image: the field, record or list
  // entry that was changed, a byte of its own where unused bytes were, as decode() places it.
  std::uint64_t offset = 0;
};
// nullopt where this image has nothing that the corruption could touch.
std::optional<Corruption> corrupt(Choices& c, ByteView valid, const CorruptionKind& kind);
// The same for an image made to have what the kind needs; `valid` becomes that image.
Corruption gen_corruption(Choices& c, const CorruptionKind& kind, Buffer& valid);

// ---- containers ----

// What a container must come to: its members, or one refusal.
struct NeffKind {
  std::string_view name;         // stable, kebab-case: "ustar", "gnu-long-name", "data-size-past-end"
  std::optional<Reason> reason;  // of the refusal; none: it is read
};
// Every form of archive that CON rows read, and one defect for each way they refuse.
std::span<const NeffKind> neff_kinds();

struct Neff {
  const NeffKind* kind = nullptr;
  Options options;      // verify_digest where the kind is about it
  Buffer file;
  Buffer twin;          // the same without the defect; empty for a kind that is read
  Members members;      // what the twin (or the file itself) holds
  std::uint64_t offset = 0;  // where the refusal must stand, as read_neff places it; ~0: unchecked
};
Neff gen_neff(Choices& c, const NeffKind& kind);

}  // namespace assay::harness
