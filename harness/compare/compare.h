// SPDX-License-Identifier: Apache-2.0
// An answer against the oracle's, value by value: what differs, and which one requirement each
// difference breaks. Order that is permuted, counts, unions and widths are explained before single
// fields are. It draws nothing, calls no implementation, and its verdicts rest on no guess: what no
// row explains is named by the row of the whole encoding (IMG-001).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/properties/verdict.h"
#include "harness/subject/subject.h"
#include "oracle/base/bytes.h"

namespace assay::harness {

// `actual`, an answer to `lower`, against the oracle's image for the same request. `request` tells
// where a descriptor came from (nullptr: then rows that rest on it are named by their must row).
// At most one violation for each requirement, the first place of it. `property` is left empty.
std::vector<Violation> compare_images(ByteView expected, ByteView actual, const LowerRequest* request);

// What the verifier finds in an answer to `lower` that nothing better is at hand to compare with: each
// finding by the row of the lowering that it breaks, or by its own. None for a valid image.
std::vector<Violation> judge_image(ByteView image);

// Every row that compare_images can name.
std::vector<std::string_view> rows_of_images();

// Two answers to the same dtype request; `expected` is the oracle's.
std::vector<Violation> compare_dtypes(const DtypeRequest& request, const DtypeAnswer& expected,
                                      const DtypeAnswer& actual);

// Graph inputs and outputs of a file.
std::vector<Violation> compare_io(const GraphIo& expected, const GraphIo& actual);

// Two "fields" objects of the decode operation (JSON text): each differing path by its record's row.
std::vector<Violation> compare_fields(const std::string& expected, const std::string& actual);

std::string reply_text(ReplyStatus status, const std::string& reason);  // "refused: var-missing"

// How an answer ended where a value was wanted: names the refusal's own requirement
// where the answer tells it, `otherwise` where it does not.
template <class T>
Violation unwanted(const Reply<T>& reply, std::string_view otherwise, std::string place) {
  const std::string requirement = reply.refusal ? std::string(reply.refusal->row().requirement)
                                                : std::string(otherwise);
  if (reply.refusal) place = reply.refusal->place.text();
  return {requirement, std::move(place), "accepted", reply_text(reply.status, reply.reason), {}};
}
}  // namespace assay::harness
