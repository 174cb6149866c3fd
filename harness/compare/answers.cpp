// SPDX-License-Identifier: Apache-2.0
// Dtype answers, graph I/O and decoded fields.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/compare/compare.h"
#include "harness/compare/paths.h"
#include "oracle/dtype/dtype.h"

namespace assay::harness {
namespace {

using Code = std::optional<std::int64_t>;

std::string code_text(const Code& c) { return c ? std::to_string(*c) : "refused"; }

class Once {
 public:
  void add(std::string_view row, std::string place, std::string expected, std::string actual) {
    for (const Violation& v : out)
      if (v.requirement == row) return;
    out.push_back({std::string(row), std::move(place), std::move(expected), std::move(actual), {}});
  }
  std::vector<Violation> out;
};

// The kbin_dtype codes in the numbering of the other two enums, by name: what an implementation
// that mixes the numberings up answers (DT-001).
Code in_other_numbering(std::int64_t kbin) { return kbin_dtype_to_sdma_dtype(kbin); }

std::string folded(std::string s) {
  std::erase_if(s, [](unsigned char c) { return std::isspace(c) != 0; });
  std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return std::tolower(c); });
  return s;
}

// A string that only folding, trimming or cutting makes a known one (DT-002).
bool near_known(const std::string& text) {
  const std::string f = folded(text);
  if (f != text && match_NeffIoDtype(f)) return true;
  for (std::size_t n = 1; n < text.size(); ++n)
    if (match_NeffIoDtype(text.substr(0, n))) return true;
  return false;
}

std::string_view row_of_match(const DtypeRequest::Match& m, const Code& expected, const Code& actual) {
  if (m.neff_io) {
    if (expected && *expected != 0) return "DT-002";
    return actual && *actual != 0 && near_known(m.text) ? "DT-002" : "DT-003";
  }
  if (m.text == "float8_e4m3fn") return "DT-008";
  if (m.text.size() > 3 && m.text.compare(m.text.size() - 3, 3, "_x4") == 0 && expected) return "DT-009";
  return m.text == "float8_e5m2" || m.text == "float4_e2m1fn" ? "DT-010" : "DT-006";
}

// True where every known string of the table is answered in the other numbering, and not all agree.
bool renumbered(const DtypeRequest& q, const DtypeAnswer& e, const DtypeAnswer& a) {
  std::size_t known = 0, differ = 0;
  for (std::size_t i = 0; i < q.match.size(); ++i) {
    if (q.match[i].neff_io || !e.match[i]) continue;
    ++known;
    if (a.match[i] != in_other_numbering(*e.match[i])) return false;
    if (a.match[i] != e.match[i]) ++differ;
  }
  return known >= 3 && differ >= 2;
}

void compare_codes(Once& once, std::string_view list, const std::vector<std::int64_t>& asked, const std::vector<Code>& e,
                   const std::vector<Code>& a, std::string_view (*row)(std::int64_t)) {
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (i >= a.size() || e[i] != a[i])
      once.add(row(asked[i]), fmt::format("{}({})", list, asked[i]), code_text(e[i]),
               i < a.size() ? code_text(a[i]) : "no answer");
}

// Sizes are asked in kbin codes.
std::string_view row_of_dtype_size(std::int64_t kbin) { return kbin == code(Dtype::FP32r) ? "DT-014" : "DT-013"; }

}  // namespace

std::vector<Violation> compare_dtypes(const DtypeRequest& q, const DtypeAnswer& e, const DtypeAnswer& a) {
  Once once;
  const bool other = a.match.size() == e.match.size() && renumbered(q, e, a);
  for (std::size_t i = 0; i < q.match.size(); ++i) {
    const Code got = i < a.match.size() ? a.match[i] : Code{};
    if (i < a.match.size() && e.match[i] == got) continue;
    const bool recoded = other && !q.match[i].neff_io && e.match[i] && got == in_other_numbering(*e.match[i]);
    once.add(recoded ? "DT-001" : row_of_match(q.match[i], e.match[i], got),
             fmt::format("match {} \"{}\"", q.match[i].neff_io ? "neff_io" : "defjson", q.match[i].text),
             code_text(e.match[i]), i < a.match.size() ? code_text(got) : "no answer");
  }
  compare_codes(once, "to_sdma", q.to_sdma, e.to_sdma, a.to_sdma, [](std::int64_t) -> std::string_view { return "DT-011"; });
  compare_codes(once, "cce_op", q.cce_op, e.cce_op, a.cce_op, [](std::int64_t) -> std::string_view { return "DT-012"; });
  compare_codes(once, "size", q.size, e.size, a.size, row_of_dtype_size);
  return std::move(once.out);
}

std::vector<Violation> compare_io(const GraphIo& expected, const GraphIo& actual) {
  Once once;
  const auto list = [&](const char* name, const std::vector<Tensor>& e, const std::vector<Tensor>& a, std::string_view order) {
    if (e.size() != a.size()) return once.add(order, name, fmt::format("{} tensors", e.size()), fmt::format("{}", a.size()));
    for (std::size_t i = 0; i < e.size(); ++i) {
      const auto at = [&](const char* field) { return fmt::format("{}[{}].{}", name, i, field); };
      if (e[i].name != a[i].name) once.add(order == "IO-003" ? "IO-006" : order, at("name"), e[i].name, a[i].name);
      if (e[i].dtype != a[i].dtype)
        once.add(e[i].dtype == NrtDtype::UNKNOWN ? "DT-003" : "DT-002", at("dtype"), fmt::format("{}", code(e[i].dtype)),
                 fmt::format("{}", code(a[i].dtype)));
      if (e[i].shape != a[i].shape) once.add("IO-004", at("shape"), fmt::format("{} dimensions", e[i].shape.size()), "another shape");
      if (e[i].size != a[i].size) once.add("DT-004", at("size"), std::to_string(e[i].size), std::to_string(a[i].size));
    }
  };
  list("inputs", expected.inputs, actual.inputs, "IO-002");
  list("outputs", expected.outputs, actual.outputs, "IO-003");
  return std::move(once.out);
}

std::vector<Violation> compare_fields(const std::string& expected, const std::string& actual) {
  if (expected == actual) return {};
  Once once;
  const auto e = nlohmann::json::parse(expected, nullptr, false), a = nlohmann::json::parse(actual, nullptr, false);
  if (!e.is_object() || !a.is_object()) {
    once.add("LAY-002", "fields", "a JSON object", "none");
    return std::move(once.out);
  }
  const auto shown = [](const nlohmann::json& j) { return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); };
  const auto row = [](const std::string& path) { return compare::row_of_layout(compare::Path(path)); };
  for (const auto& [path, value] : e.items()) {
    const auto it = a.find(path);
    // NULL and absent are one thing.
    if (it == a.end() ? value.is_null() : *it == value) continue;
    once.add(row(path), path, shown(value), it == a.end() ? "absent" : shown(*it));
  }
  for (const auto& [path, value] : a.items())
    if (!e.contains(path) && !value.is_null()) once.add(row(path), path, "absent", shown(value));
  return std::move(once.out);
}

}  // namespace assay::harness
