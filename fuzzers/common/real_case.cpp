// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/common/real_case.h"

#include "fuzzers/common/fixed_members.h"
#include "fuzzers/common/inputs.h"
#include "harness/mutate/model_bytes.h"
#include "harness/mutate/raw_image.h"
#include "oracle/image/image.h"

namespace assay::fuzz {
namespace {

constexpr ArchType kArchitectures[] = {ArchType::CAYMAN, ArchType::SUNDA, ArchType::MARIANA};  // as they are tried

RealInput none(std::string why) { return {{}, std::nullopt, std::move(why)}; }

// "" where the oracle accepts it.
std::string refusal(const harness::Case& c) {
  const auto text = [](const auto& result) { return result ? std::string() : result.error().text(); };
  if (const auto* m = std::get_if<harness::ModelCase>(&c)) return text(harness::lower_model(m->model));
  if (const auto* t = std::get_if<harness::TextCase>(&c)) return text(harness::lower_model(t->model));
  if (const auto* i = std::get_if<harness::ImageCase>(&c)) return text(decode(i->image.view()));
  return {};
}

// One attempt to read an input, kept while the oracle is asked of it.
struct Attempts {
  ByteView input;
  const std::string& reason;
  const std::function<void(const RealInput&)>& keep;

  RealInput stored(harness::Case c, const std::string& neff = {}) const {
    auto files = harness::files_of(c, reason);
    if (!files) return none(files.error());
    if (!neff.empty()) (*files)["input.neff"] = neff;
    return {std::move(*files), std::move(c), {}};
  }

  // Where it is refused, the input alone remains.
  RealInput asked(RealInput attempt) const {
    if (keep) keep(attempt);
    if (!attempt.c) return attempt;
    std::string refused = refusal(*attempt.c);
    if (refused.empty()) return attempt;
    RealInput bare = none("it is " + refused);
    for (const char* name : {"input.neff", "input.kbin"})
      if (const auto it = attempt.files.find(name); it != attempt.files.end()) bare.files.insert(*it);
    return bare;
  }

  // Members as they are, spelling and all; `file`: the container that they were in.
  RealInput members(const Members& members, const Options& options, std::string file = {}) const {
    if (file.empty())
      if (const auto packed = pack(members, {})) file = packed->text();
    return asked(stored(harness::ModelCase{harness::from_members(members, options)}, file));
  }

  RealInput definition() const {
    RealInput last;
    for (const ArchType arch : kArchitectures)
      if (last = members(fixed_members(input), bounded(arch)); last.c) break;
    return last;
  }

  RealInput container() const {
    Options options = bounded();
    const auto inside = read_neff(input, options);
    if (!inside) return none("it is " + inside.error().text());
    const std::string file(as_text(input));
    RealInput first = members(*inside, options, file);
    if (first.c) return first;
    options.arch = ArchType::CAYMAN;
    RealInput second = members(*inside, options, file);
    return second.c ? std::move(second) : std::move(first);
  }

  RealInput model() const {
    const auto read = harness::from_bytes(input);
    if (!read) return none("it holds no model");
    Options options = read->options;
    options.limits = bounded().limits;
    return members(harness::to_members(*read), options);
  }

  RealInput text() const {
    const Options options = bounded(ArchType::CAYMAN);
    if (input.size() < kSpellingBytes) return none("there is no document");
    if (auto twin = spelled_twin(input, options))
      if (RealInput told = asked(stored(std::move(*twin))); told.c) return told;
    return members(fixed_members(input.subspan(kSpellingBytes)), options);
  }

  RealInput image() const { return asked(stored(harness::ImageCase{Buffer(input)})); }

  RealInput records() const {
    Buffer whole(input);
    if (input.size() >= image::kHeaderSize) harness::repair_checksum(whole);
    return asked(stored(harness::ImageCase{std::move(whole)}));
  }

  // A refusal would be the finding itself: it is a case in any event.
  RealInput chosen_model() const { return stored(harness::ModelCase{descriptor_model(input)}); }

  RealInput request() const { return stored(harness::DtypeCase{dtype_request(input)}); }

  RealInput document() const {
    return {{{"input.json", std::string(as_text(input))}}, std::nullopt, "no case is about JSON readers alone"};
  }
};

struct Row {
  RealTarget target;
  RealInput (Attempts::*read)() const;
};
constexpr Row kRows[] = {
    {{"defjson_bytes", "raw bytes as the def.json of a fixed set of members"}, &Attempts::definition},
    {{"descriptor", "descriptors of a generated model: each must be lowered, and once more as JSON"},
     &Attempts::chosen_model},
    {{"dtype", "the dtype maps on strings and codes"}, &Attempts::request},
    {{"image_bytes", "raw bytes as an image"}, &Attempts::image},
    {{"image_records", "an image edited in records, its checksum right"}, &Attempts::records},
    {{"json_dialect", "the JSON reader against another one"}, &Attempts::document},
    {{"neff", "raw bytes as a NEFF file"}, &Attempts::container},
    {{"neff_members", "a valid container around edited members"}, &Attempts::container},
    {{"subgraph", "a whole model, edited as a structure"}, &Attempts::model},
    {{"text_equiv", "a def.json and its twin in another spelling"}, &Attempts::text},
};

}  // namespace

std::span<const RealTarget> real_targets() {
  static const auto all = [] {
    std::vector<RealTarget> out;
    for (const Row& row : kRows) out.push_back(row.target);
    return out;
  }();
  return all;
}

RealInput real_input(std::string_view target, ByteView input, const std::string& reason,
                     const std::function<void(const RealInput&)>& keep) {
  for (const Row& row : kRows)
    if (row.target.name == target) return (Attempts{input, reason, keep}.*row.read)();
  return none("there is no target of that name");
}

}  // namespace assay::fuzz
