// SPDX-License-Identifier: Apache-2.0
// Where a lowered descriptor came from: its block, and the JSON it was written as. Read only when
// two images differ, because several rows share one field and the text alone tells which it is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "harness/gen/model.h"
#include "harness/subject/subject.h"

namespace assay::harness::compare {

struct Origin {
  const Json* block = nullptr;
  const Json* desc = nullptr;
  bool own_function = false;  // the block has a function_start of its own
  bool section_start = false;
};

class Origins {
 public:
  // `documents`, where given: the model whose members the request has, so that nothing is parsed again; it
  // outlives this.
  explicit Origins(const LowerRequest* request, const Model* documents = nullptr)
      : request_(request), documents_(documents) {}
  // Of the descriptor at dma[queue].ring_instances[instance].desc[index]; nullopt when not known.
  std::optional<Origin> of(std::uint64_t queue, std::uint64_t instance, std::uint64_t index);

 private:
  void read();

  const LowerRequest* request_;
  const Model* documents_;
  bool read_ = false;
  Model model_;
  std::map<std::tuple<std::uint64_t, std::uint64_t>, std::vector<Origin>> by_instance_;
};

}  // namespace assay::harness::compare
