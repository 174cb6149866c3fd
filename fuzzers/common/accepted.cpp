// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/common/accepted.h"

#include <algorithm>
#include <cstdio>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "fuzzers/common/judged.h"
#include "fuzzers/common/statistics.h"
#include "harness/mutate/raw_image.h"

bool assay_fuzz_thorough = false;

namespace assay::fuzz {
namespace {

void judge_by(const harness::Property& p, const harness::Case& c) {
  const harness::Verdict verdict = p.judge(subject(), c);
  if (verdict.is_violated()) found(verdict.violations.front().text());
}

bool equal(ByteView a, ByteView b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

// Tree -> image -> view -> tree -> image.
Buffer image_of(const Tree& tree) {
  auto image = encode(tree);
  if (!image) found("encode refuses a lowered tree: " + image.error().text());
  const auto view = decode(image->view());
  if (!view) found("decode refuses what encode wrote: " + view.error().text());
  const auto again = to_tree(*view);
  if (!again) found("a valid image makes no tree: " + again.error().text());
  const auto second = encode(*again);
  must(second && equal(second->view(), image->view()), "an image encoded again has other bytes");
  return std::move(*image);
}

// Members as a model, where documents can hold what the manifests name: every definition, and so no
// variable or queue of one name, and its engines' members. Others the properties do not look into.
bool is_whole(const harness::Model& model) {
  const auto graphs = harness::graphs_of(model);
  const auto is_document = [&](const std::string& path) {
    const auto it = model.members.find(path);
    return it != model.members.end() && it->second.is_json();
  };
  return !graphs.empty() && std::all_of(graphs.begin(), graphs.end(), [&](const harness::GraphPaths& g) {
    if (!is_document(g.definition)) return false;
    const harness::Json& def = model.members.at(g.definition).doc;
    for (const char* engine : harness::kEngineKeys)
      if (const auto it = def.find(engine); it != def.end() && it->is_string())
        if (!is_document(g.directory + it->get<std::string>())) return false;
    return true;
  });
}

}  // namespace

void begin() {
  static const bool once = [] {
    start_statistics();
#ifdef __GLIBC__
    // Memory that an input gave back is kept for the next one: taking it from the kernel each time
    // costs more than most inputs. Sanitizers have allocators of their own.
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
    return true;
  }();
  static_cast<void>(once);
  ++assay_fuzz_executions;
}

void found(const std::string& text) {
  std::fprintf(stderr, "found: %s\n", text.c_str());
  __builtin_trap();
}

namespace {

// Each of the seldom ones by bits of the digest of its own.
void judge_all(const harness::Case& c, std::uint32_t digest) {
  for (const Judged& j : judged(harness::kind_of(c))) {
    if (j.one_in > 1) digest = digest << 27 | digest >> 5;
    if (assay_fuzz_thorough || digest % j.one_in == 0) judge_by(*j.property, c);
  }
}

// An image's checksum will do; of fewer bytes than a header has, any number.
std::uint32_t digest_of(ByteView image) {
  return image.size() < image::kHeaderSize ? 0 : load<std::uint32_t>(image.data() + image::kCrcAt);
}
std::uint32_t digest_of(const std::vector<Buffer>& images) {
  return images.empty() ? 0 : digest_of(images.front().view());
}

}  // namespace

void judge(const harness::Case& c, std::uint32_t digest) {
  const harness::AskOnce once(c);
  judge_all(c, digest);
}

namespace {

// Whether a refusal came after the lowering of a definition began. Manifests lie at the top, so that what
// is said of a value there was said before.
bool is_late(const Refusal& refusal) {
  if (refusal.reason > Reason::io_value) return true;
  switch (refusal.reason) {
    case Reason::not_an_integer:
    case Reason::integer_too_wide:
    case Reason::var_name_twice:
    case Reason::queue_name_twice:
    case Reason::not_a_boolean:
    case Reason::null_value:
    case Reason::wrong_type:
    case Reason::nul_in_string: return refusal.place.member.find('/') != std::string::npos;
    case Reason::npy_magic:
    case Reason::npy_header: return true;
    default: return false;
  }
}

Result<Lowered> lowered_of(const Members& members, const Options& options) {
  auto lowered = lower_members(members, options);
  count(lowered);
  if (!lowered)
    must_refuse_alike(same_refusal(lowered, lower_members(members, options)), lowered.error());
  return lowered;
}

std::vector<Buffer> images_of(const Lowered& lowered) {
  std::vector<Buffer> images;
  for (const LoweredGraph& graph : lowered.graphs) images.push_back(image_of(graph.tree));
  note_model(lowered, images);
  return images;
}

}  // namespace

void count(const Result<Lowered>& lowered) {
  if (lowered) accepted();
  else if (is_late(lowered.error())) reached();
}

bool try_members(const Members& members, const Options& options) {
  const auto lowered = lowered_of(members, options);
  if (lowered) accepted_members(members, options, *lowered);
  return lowered.has_value();
}

bool try_model(harness::Model model) {
  model.options.limits = bounded().limits;
  Members members = harness::to_members(model);
  const auto lowered = lowered_of(members, model.options);
  if (!lowered) return false;
  std::vector<Buffer> images = images_of(*lowered);
  const std::uint32_t digest = digest_of(images);
  if (!is_whole(model)) {  // some of it is text, which is seldom read as documents
    if (assay_fuzz_thorough || digest % 16 == 0) accepted_members(members, model.options, *lowered);
    return true;
  }
  const harness::Case c = harness::ModelCase{std::move(model)};
  const harness::AskOnce once(c, std::move(members), std::move(images));
  judge_all(c, digest);
  return true;
}

void accepted_members(const Members& members, const Options& options, const Lowered& lowered) {
  const std::vector<Buffer> images = images_of(lowered);
  const harness::Model model = harness::from_members(members, options);
  if (!is_whole(model)) return;
  // The documents of the model say what the members said.
  const auto again = harness::lower_model(model);
  if (!again) found("refused as a model: " + again.error().text());
  must(again->graphs.size() == images.size(), "as a model it has other graphs");
  for (std::size_t i = 0; i < images.size(); ++i) {
    const auto image = encode(again->graphs[i].tree);
    must(image && equal(image->view(), images[i].view()), "as a model it has another image");
  }
  judge(harness::ModelCase{model}, digest_of(images));
}

namespace {

void show_damaged(ByteView image) {
  const std::uint32_t digest = digest_of(image);
  for (const Judged& j : judged(harness::CaseKind::corruption)) {
    if (j.property->name != "damaged-can-be-shown" || !(assay_fuzz_thorough || digest % j.one_in == 0)) continue;
    harness::CorruptionCase damaged;
    damaged.corruption.image = Buffer(image);
    judge_by(*j.property, std::move(damaged));
  }
}

}  // namespace

bool try_image(ByteView image) {
  const auto view = decode(image);
  const bool past = view || (view.error().reason != Reason::image_checksum && harness::checksum_holds(image));
  if (past) reached();
  if (!view) {
    // What cannot be accepted is refused the same way again and may still be shown; with a wrong checksum
    // there is little to see in it.
    if (past || assay_fuzz_thorough || digest_of(image) % 4 == 0)
      must_refuse_alike(same_refusal(view, decode(image)), view.error());
    if (past || assay_fuzz_thorough) show_damaged(image);
    return false;
  }
  ++assay_fuzz_accepted;
  accepted_image(image);
  return true;
}

void accepted_image(ByteView image) { judge(harness::ImageCase{Buffer(image)}, digest_of(image)); }

}  // namespace assay::fuzz
