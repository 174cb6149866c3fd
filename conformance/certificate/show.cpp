// SPDX-License-Identifier: Apache-2.0
// The bytes beside a violation.
#include <charconv>

#include "conformance/certificate/images.h"
#include "conformance/certificate/judge.h"
#include "conformance/certificate/text.h"
#include "conformance/protocol/requests.h"

namespace assay::conformance {
namespace {

// "images[1].engine[0].ninstr" as 1 and the path.
std::size_t split(std::string& place) {
  constexpr std::string_view kPrefix = "images[";
  std::size_t index = 0;
  const auto close = place.find("].");
  if (place.rfind(kPrefix, 0) != 0 || close == std::string::npos) return 0;
  std::from_chars(place.data() + kPrefix.size(), place.data() + close, index);
  place.erase(0, close + 2);
  return index;
}

}  // namespace

std::vector<Shown> show(const Case& c, const Answered& answered, std::span<const harness::Violation> violations) {
  std::vector<Shown> out;
  for (const harness::Violation& v : violations) out.push_back({v, {}, {}});
  try {
    std::vector<Buffer> expected, actual;
    if (c.op == Op::decode) {
      if (auto image = decode_request(std::string_view(c.request))) expected.push_back(std::move(*image));
    } else if (answered && answered->ok()) {
      expected = images_of(c.op, c.answer);
      actual = images_of(c.op, answered->body);
    }
    for (Shown& s : out) {
      std::string place = s.violation.place;
      const std::size_t i = split(place);
      if (i < expected.size()) s.expected = window_at(expected[i].view(), place);
      if (i < actual.size()) s.actual = window_at(actual[i].view(), place);
    }
  } catch (const std::exception&) {
    // Without bytes, then: the violations themselves are there.
  }
  return out;
}

}  // namespace assay::conformance
