// SPDX-License-Identifier: Apache-2.0
// Images: what is permuted is found first, then what the verifier finds, then values one by one.
// What is the consequence of something found (slots beside a wrong count, the members of another
// union) is not said again.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "harness/compare/compare.h"
#include "harness/compare/paths.h"

namespace assay::harness {

using compare::Expected;
using compare::Origins;
using compare::Path;

namespace {

constexpr std::size_t kMaxFindings = 200;

// Elements whose order a row fixes: the same ones in another order break that row alone.
struct OrderRow {
  std::string_view shape;  // of the array, without its last index
  std::string_view row;
};
constexpr OrderRow kOrders[] = {
    {"engine", "LOW-002"},
    {"dma", "DMQ-001"},
    {"mem_ref_set.mem", "VAR-031"},
    {"dma[].ring_instances", "DMQ-020"},
    {"dma[].ring_instances[].desc", "DMB-007"},
};

// The values below each element of one array, as one text an element.
std::vector<std::string> elements_of(const View& view, std::string_view array) {
  std::vector<std::string> out;
  const std::string prefix = std::string(array) + "[";
  walk(view, [&](const FieldVisit& v) {
    if (v.path.compare(0, prefix.size(), prefix) != 0) return;
    const auto close = v.path.find(']', prefix.size());
    const std::size_t i = std::stoul(v.path.substr(prefix.size(), close - prefix.size()));
    if (out.size() <= i) out.resize(i + 1);
    // A pointer's bytes are an offset and never compared.
    const bool plain = v.type != FieldType::pointer && !v.is_null;
    out[i] += v.path.substr(close + 1);
    out[i] += v.is_null ? '-' : '=';
    if (plain) out[i] += as_text(v.raw);
    out[i] += '\n';
  });
  return out;
}

bool permuted(const View& a, const View& b, std::string_view array) {
  auto ea = elements_of(a, array), eb = elements_of(b, array);
  if (ea == eb || ea.size() != eb.size()) return false;
  std::sort(ea.begin(), ea.end());
  std::sort(eb.begin(), eb.end());
  return ea == eb;
}

// "dma[2].ring_instances[0].desc[4].op" up to and without the last index of `shape`: the array that
// the path goes through, or "".
std::string array_of(const std::string& path, std::string_view shape) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == ']') {
      at = path.find(']', at);
      if (at == std::string::npos) return {};
      ++at;
    } else if (at >= path.size() || path[at++] != shape[i]) {
      return {};
    }
  }
  return at < path.size() && path[at] == '[' ? path.substr(0, at) : std::string();
}

class Comparison {
 public:
  Comparison(const View& expected, const Tree& tree, ByteView actual, const LowerRequest* request)
      : expected_(expected), origins_(request), e_{tree, origins_}, actual_(actual) {}

  std::vector<Violation> run() {
    const Inspection found = inspect(actual_, kMaxFindings);
    DiffReport report;
    if (found.view) {
      report = diff(expected_, *found.view);
      for (auto& d : report.lower) report.high.push_back(std::move(d));
      orders(report.high, *found.view);
    }
    if (found.view) blob_places(report.high, *found.view);
    findings(found.findings);
    values(report.high);
    if (out_.empty()) fallback(found);
    return std::move(out_);
  }

 private:
  void add(std::string_view row, std::string place, std::string expected, std::string actual) {
    for (const Violation& v : out_)
      if (v.requirement == row) return;
    out_.push_back({std::string(row), std::move(place), std::move(expected), std::move(actual), {}});
  }

  void orders(std::vector<Difference>& list, const View& actual) {
    for (const OrderRow& o : kOrders) {
      std::set<std::string> arrays;
      for (const Difference& d : list)
        if (const std::string array = array_of(d.path, o.shape); !array.empty()) arrays.insert(array);
      for (const std::string& array : arrays) {
        if (!permuted(expected_, actual, array)) continue;
        const std::string prefix = array + "[";
        const auto first = std::find_if(list.begin(), list.end(), [&](const Difference& d) {
          return d.path.compare(0, prefix.size(), prefix) == 0;
        });
        add(o.row, first->path, first->a, first->b + " (the same elements in another order)");
        explained_.push_back(prefix);
        std::erase_if(list, [&](const Difference& d) { return d.path.compare(0, prefix.size(), prefix) == 0; });
      }
    }
  }

  // An engine's blob that is whole but stands elsewhere, or in a longer record (LOW-004).
  void blob_places(std::vector<Difference>& list, const View& actual) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (Path(list[i].path).shape != "engine[].instr") continue;
      const ByteView a = value_at(expected_, list[i].path), b = value_at(actual, list[i].path);
      if (b.size() <= a.size()) continue;
      const auto at = std::search(b.begin(), b.end(), a.begin(), a.end());
      if (at == b.end()) continue;
      const std::string engine = list[i].path.substr(0, list[i].path.find('.') + 1);
      add("LOW-004", list[i].path, list[i].a,
          fmt::format("the blob at +{} of a record of {} bytes", 320 + (at - b.begin()), 320 + b.size()));
      explained_.push_back(engine);
      std::erase_if(list, [&](const Difference& d) { return d.path.compare(0, engine.size(), engine) == 0; });
      --i;
    }
  }

  static ByteView value_at(const View& view, const std::string& path) {
    ByteView raw;
    walk(view, [&](const FieldVisit& v) {
      if (v.path == path) raw = v.raw;
    });
    return raw;
  }

  bool explained(const std::string& path) const {
    return std::any_of(explained_.begin(), explained_.end(), [&](const std::string& p) {
      return path.compare(0, p.size(), p) == 0;
    });
  }

  void findings(const std::vector<Finding>& list) {
    for (const Finding& f : list) {
      if (explained(f.path)) continue;
      const std::string_view row = compare::row_of_finding(f, actual_, e_);
      if (!row.empty()) add(row, f.path, std::string(row_of(f.reason).text), f.detail);
    }
  }

  void values(const std::vector<Difference>& list) {
    // A selector or a count that differs brings all that hangs on it.
    std::vector<std::string> heads;
    for (const Difference& d : list) {
      const Path p(d.path);
      if (p.shape == "dma[].ring_instances[].desc[].op") heads.push_back(d.path.substr(0, d.path.size() - 2) + "u.");
      if (p.shape == "mem_ref_set.mem[].mr_type") heads.push_back(d.path.substr(0, d.path.size() - 7));
    }
    const bool all_absent = std::all_of(list.begin(), list.end(), [](const Difference& d) {
      return d.a == "absent" || d.b == "absent";
    });
    for (const Difference& d : list) {
      if (!all_absent && (d.a == "absent" || d.b == "absent")) continue;
      const Path p(d.path);
      const bool consequence = std::any_of(heads.begin(), heads.end(), [&](const std::string& h) {
        return d.path.compare(0, h.size(), h) == 0;
      });
      if (consequence && p.shape != "mem_ref_set.mem[].mr_type") continue;
      add(compare::row_of_difference(d, p, e_), d.path, d.a, d.b);
    }
  }

  // What nothing more precise explains: the encoding.
  void fallback(const Inspection& found) {
    if (!found.findings.empty()) {
      const Finding& f = found.findings.front();
      add("IMG-001", fmt::format("{} (offset {})", f.path, f.offset), "a valid image",
          fmt::format("{}: {}", row_of(f.reason).text, f.detail));
      return;
    }
    const ByteView a = expected_.bytes();
    const std::size_t n = std::min(a.size(), actual_.size());
    const auto at = static_cast<std::size_t>(
        std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n), actual_.begin()).first - a.begin());
    add("IMG-001", fmt::format("image+{}", at), fmt::format("{} bytes", a.size()),
        fmt::format("{} bytes, other ones", actual_.size()));
  }

  const View& expected_;
  Origins origins_;
  Expected e_;
  ByteView actual_;
  std::vector<std::string> explained_;  // prefixes of paths
  std::vector<Violation> out_;
};

}  // namespace

std::vector<Violation> compare_images(ByteView expected, ByteView actual, const LowerRequest* request) {
  if (expected.size() == actual.size() && std::equal(expected.begin(), expected.end(), actual.begin())) return {};
  const auto view = decode(expected);
  if (!view) return {{"IMG-001", view.error().place.text(), "a valid image from the oracle", view.error().text(), {}}};
  const auto tree = to_tree(*view);
  if (!tree) return {{"IMG-001", {}, "a tree", tree.error().text(), {}}};
  return Comparison(*view, *tree, actual, request).run();
}

std::vector<Violation> judge_image(ByteView image) {
  const Inspection found = inspect(image, kMaxFindings);
  std::vector<Violation> out;
  if (found.findings.empty()) return out;
  const auto tree = found.view ? to_tree(*found.view) : Result<Tree>(refuse(Reason::image_header));
  Origins nowhere(nullptr);
  for (const Finding& f : found.findings) {
    std::string_view row;
    if (tree) row = compare::row_of_finding(f, image, {*tree, nowhere});
    if (row.empty()) row = row_of(f.reason).requirement;
    const bool told = std::any_of(out.begin(), out.end(), [&](const Violation& v) { return v.requirement == row; });
    if (!told) out.push_back({std::string(row), f.path, "a valid image", fmt::format("{}: {}", row_of(f.reason).text, f.detail), {}});
  }
  return out;
}

std::vector<std::string_view> rows_of_images() {
  auto rows = compare::rows_of_paths();
  rows.push_back("LOW-011");  // of an answer that does not come again
  for (const OrderRow& o : kOrders) rows.push_back(o.row);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::string reply_text(ReplyStatus status, const std::string& reason) {
  static constexpr std::string_view kNames[] = {"ok", "refused", "trapped", "unspecified", "unsupported", "error"};
  std::string text(kNames[static_cast<std::size_t>(status)]);
  if (!reason.empty()) text += ": " + reason;
  return text;
}

}  // namespace assay::harness
