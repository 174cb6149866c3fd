// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/common/inputs.h"

#include <algorithm>

#include "fuzzers/common/fixed_members.h"

namespace assay::fuzz {

Options bounded(std::optional<ArchType> arch) {
  Options options;
  options.arch = arch;
  options.limits.expanded_bytes = std::uint64_t{16} << 20;
  options.limits.members = 4096;
  options.limits.image_bytes = std::uint64_t{4} << 20;
  return options;
}

harness::DtypeRequest dtype_request(ByteView input) {
  harness::ByteChoices c(input.first(std::min<std::size_t>(input.size(), 256)));
  harness::DtypeRequest q;
  while (!c.exhausted() && q.match.size() + q.size.size() < kDtypeEntries) {
    const std::uint64_t kind = c.below(8);
    if (kind < 4) {
      std::string text;
      for (std::uint64_t n = c.below(20); n > 0 && !c.exhausted(); --n) text += static_cast<char>(c.below(256));
      q.match.push_back({kind % 2 == 0, text});
    } else {
      const auto code = static_cast<std::int64_t>(kind < 6 ? c.below(20) - 2 : c.bits());
      for (auto* list : {&q.to_sdma, &q.cce_op, &q.size}) list->push_back(code);
    }
  }
  return q;
}

harness::Model descriptor_model(ByteView input) {
  harness::GenOptions small;
  small.size = {.graphs = 1, .variables = 6, .queues = 2, .instances = 2, .blocks = 3, .descriptors = 4, .groups = 1,
                .ucode_libs = 1, .functions = 1, .act_sets = 1, .blob_bytes = 32, .text_bytes = 6};
  harness::ByteChoices c(input);
  return harness::gen_model(c, small);
}

std::optional<harness::TextCase> spelled_twin(ByteView input, const Options& options) {
  if (input.size() < kSpellingBytes) return std::nullopt;
  harness::TextCase twin;
  twin.model = harness::from_members(fixed_members(input.subspan(kSpellingBytes)), options);
  twin.definition = kDefinition;
  twin.seed = load<std::uint64_t>(input.data());
  if (!twin.model.members.at(twin.definition).is_json()) return std::nullopt;
  harness::RandomChoices spelling(twin.seed);
  twin.text = harness::respell(spelling, twin.model.json(twin.definition));
  return twin;
}

}  // namespace assay::fuzz
