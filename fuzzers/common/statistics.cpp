// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/common/statistics.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <unordered_set>

std::uint64_t assay_fuzz_executions = 0, assay_fuzz_reached = 0, assay_fuzz_accepted = 0;

namespace assay::fuzz {
namespace {

bool counting = false;
std::unordered_set<std::uint64_t>& models() {
  static std::unordered_set<std::uint64_t> models;
  return models;
}

void print() {
  std::fprintf(stderr, "stats: %" PRIu64 " executions, %" PRIu64 " reached lowering, %" PRIu64 " accepted, %zu models\n",
               assay_fuzz_executions, assay_fuzz_reached, assay_fuzz_accepted, models().size());
}

class Digest {
 public:
  void add(std::uint64_t n) { value_ = (value_ ^ n) * 0x9E3779B97F4A7C15 + (value_ >> 29); }
  void add(std::string_view s) { add(std::hash<std::string_view>{}(s)); }
  void add(const std::vector<Tensor>& tensors) {
    add(tensors.size());
    for (const Tensor& t : tensors) {
      add(t.name), add(static_cast<std::uint64_t>(t.dtype)), add(t.size), add(t.shape.size());
      for (const std::uint64_t n : t.shape) add(n);
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace

void start_statistics() {
  if (std::getenv("ASSAY_FUZZ_STATS") == nullptr) return;
  models();  // made before print() is registered, so that it is still there
  counting = true;
  std::atexit(print);
}

void reached() { ++assay_fuzz_reached; }
void accepted() {
  reached();
  ++assay_fuzz_accepted;
}

void note_model(const Lowered& lowered, const std::vector<Buffer>& images) {
  if (!counting) return;
  Digest d;
  d.add(lowered.io.inputs), d.add(lowered.io.outputs);
  for (const LoweredGraph& graph : lowered.graphs) d.add(graph.name);
  for (const Buffer& image : images) d.add(as_text(image.view()));
  models().insert(d.value());
}

}  // namespace assay::fuzz
