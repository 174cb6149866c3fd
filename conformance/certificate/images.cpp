// SPDX-License-Identifier: Apache-2.0
#include "conformance/certificate/images.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "conformance/protocol/answers.h"
#include "conformance/suite/leanings.h"
#include "harness/compare/compare.h"
#include "oracle/image/dump.h"
#include "oracle/image/image.h"

namespace assay::conformance {

using harness::Violation;

namespace {

constexpr std::size_t kMaxFindings = 200;

// "dma[2].flags" as "dma[].flags".
std::string shape_of(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool digit = c >= '0' && c <= '9';
    if (!(digit && !out.empty() && out.back() == '[')) out += c;
  }
  return out;
}

// Shapes of paths whose evidence is below high, in one image.
std::set<std::string> lower_shapes(const View& view) {
  std::set<std::string> out;
  walk(view, [&](const FieldVisit& v) {
    if (v.grade != Grade::high) out.insert(shape_of(v.path));
  });
  return out;
}

struct Spot {
  std::uint64_t offset;
  std::size_t size;
  bool is_null, pointer;
};
std::map<std::string, Spot> spots_of(const View& view, const std::set<std::string>& wanted) {
  std::map<std::string, Spot> out;
  walk(view, [&](const FieldVisit& v) {
    if (!wanted.contains(v.path)) return;
    const std::uint64_t at = v.raw.empty() ? v.offset : static_cast<std::uint64_t>(v.raw.data() - view.bytes().data());
    out.emplace(v.path, Spot{at, v.raw.size(), v.is_null, v.type == FieldType::pointer});
  });
  return out;
}

// The actual image with the expected values at `paths`, where they fit, and a right checksum: what then
// still differs does so elsewhere.
Buffer mended(const View& expected, const View& actual, const std::set<std::string>& paths) {
  Buffer out(actual.bytes());
  const auto from = spots_of(expected, paths), to = spots_of(actual, paths);
  for (const auto& [path, spot] : to) {
    const auto it = from.find(path);
    if (it == from.end() || spot.pointer || spot.is_null || it->second.is_null || it->second.size != spot.size)
      continue;
    std::copy_n(expected.bytes().data() + it->second.offset, spot.size, out.data() + spot.offset);
  }
  store(out.data() + image::kCrcAt, crc32_of(out.view().subspan(image::kHeaderSize)));
  return out;
}

class ImageComparison {
 public:
  ImageComparison(ByteView expected, ByteView actual, const harness::LowerRequest* request,
                  std::span<const Ignored> ignore, std::string_view prefix, Catalogue catalogue, Findings& out)
      : expected_(expected), actual_(actual), request_(request), ignore_(ignore), prefix_(prefix),
        catalogue_(catalogue), out_(out) {}

  void run() {
    compare();
    // The lowering's own rows first, then the image's, the encoding as a whole last.
    const auto place = [](const Violation& v) {
      return v.requirement == "IMG-001" ? 2 : v.requirement.rfind("IMG-", 0) == 0 ? 1 : 0;
    };
    std::stable_sort(mine_.must.begin(), mine_.must.end(),
                     [&](const Violation& a, const Violation& b) { return place(a) < place(b); });
    for (Violation& v : mine_.must) out_.add(catalogue_, std::move(v));
    for (Violation& v : mine_.reported) out_.add(catalogue_, std::move(v), true);
  }

 private:
  void compare() {
    const auto right = decode(expected_);
    const Inspection found = inspect(actual_, kMaxFindings);
    if (right && found.view) {
      right_ = &*right;
      found_ = &*found.view;
    }
    if (right) low_ = lower_shapes(*right);
    if (found.view) low_.merge(lower_shapes(*found.view));
    rows_of_findings(found);
    bool decided = false;
    for (const Violation& v : harness::compare_images(expected_, actual_, request_)) {
      decided = decided || (!is_low(v.place) && is_must(catalogue_, v.requirement));
      add(v);
    }
    if (decided || !right || !found.view) return;
    // A row names its first place only: one that decides nothing may stand before one that does.
    const DiffReport report = diff(*right, *found.view);
    std::set<std::string> low;
    for (const auto* list : {&report.high, &report.lower})
      for (const Difference& d : *list)
        if (is_low(d.path)) low.insert(d.path);
    if (low.empty()) return;
    const Buffer rest = mended(*right, *found.view, low);
    std::set<std::string> rows;
    for (const Violation& v : harness::compare_images(expected_, rest.view(), request_)) {
      if (is_low(v.place)) rows.insert(v.requirement);
      else add(v);
    }
    // What could not be mended may hide a difference of the same row.
    if (rows.empty() || !mine_.must.empty()) return;
    for (const Difference& d : report.high)
      if (!is_low(d.path) && d.a != "absent" && d.b != "absent") return add({*rows.begin(), d.path, d.a, d.b, {}});
  }

  // Each finding's own row, at the first place that decides.
  void rows_of_findings(const Inspection& found) {
    std::map<std::string_view, const Finding*> first;
    for (const Finding& f : found.findings) {
      const Finding*& at = first[row_of(f.reason).requirement];
      if (at == nullptr || (is_low(at->path) && !is_low(f.path))) at = &f;
    }
    for (const auto& [row, f] : first)
      add({std::string(row), f->path, std::string("not ") + std::string(row_of(f->reason).text), f->detail, {}});
  }

  // A finding says what is wrong in words: where it is a field's, what either image holds there says it better.
  void both_values(Violation& v) const {
    if (right_ == nullptr) return;
    const auto a = text_at(*right_, v.place), b = text_at(*found_, v.place);
    if (!a || !b || *a == *b) return;
    v.expected = *a;
    v.actual = *b;
  }
  static std::optional<std::string> text_at(const View& view, const std::string& path) {
    std::optional<std::string> text;
    walk(view, [&](const FieldVisit& v) {
      if (!text && v.path == path && v.type != FieldType::pointer) text = value_text(v);
    });
    return text;
  }

  bool is_ignored(const std::string& path) const {
    return ignored(ignore_, path) != nullptr || ignored(ignore_, prefix_ + path) != nullptr;
  }
  bool is_overridden(const std::string& path) const {
    if (request_ == nullptr) return false;
    const auto fields = fp8_fields(request_->fp8);
    return std::any_of(fields.begin(), fields.end(), [&](const Fp8Field& f) { return f.overridden && f.path == path; });
  }
  bool is_low(const std::string& path) const { return is_ignored(path) || low_.contains(shape_of(path)); }

  void add(Violation v) {
    const Ignored* i = ignored(ignore_, v.place);
    if (i == nullptr) i = ignored(ignore_, prefix_ + v.place);
    if (i != nullptr) v.requirement = i->requirement;
    const bool low = is_low(v.place);
    // An option's value is wrong there, whatever the section says.
    if (v.requirement == "FP8-001" && is_overridden(v.place)) v.requirement = "FP8-004";
    both_values(v);
    v.place = prefix_ + v.place;
    mine_.add(catalogue_, std::move(v), low);
  }

  ByteView expected_, actual_;
  const harness::LowerRequest* request_;
  std::span<const Ignored> ignore_;
  std::string prefix_;
  Catalogue catalogue_;
  Findings& out_;
  Findings mine_;
  const View *right_ = nullptr, *found_ = nullptr;  // both or neither
  std::set<std::string> low_;
};

}  // namespace

void Findings::add(Catalogue catalogue, Violation v, bool lowered) {
  auto& list = lowered || !is_must(catalogue, v.requirement) ? reported : must;
  const bool told = std::any_of(list.begin(), list.end(), [&](const Violation& o) {
    return o.requirement == v.requirement && (o.place == v.place || &list == &must);
  });
  if (!told) list.push_back(std::move(v));
}

const Ignored* ignored(std::span<const Ignored> ignore, std::string_view path) {
  for (const Ignored& i : ignore)
    if (i.path == path || path_matches(i.path, std::string(path))) return &i;
  return nullptr;
}

void compare_image(ByteView expected, ByteView actual, const harness::LowerRequest* request,
                   std::span<const Ignored> ignore, std::string_view prefix, Catalogue catalogue, Findings& out) {
  if (expected.size() == actual.size() && std::equal(expected.begin(), expected.end(), actual.begin())) return;
  ImageComparison(expected, actual, request, ignore, prefix, catalogue, out).run();
}

void compare_decoded(const std::string& expected, const std::string& actual, ByteView image,
                     std::span<const Ignored> ignore, Catalogue catalogue, Findings& out) {
  if (expected == actual) return;
  std::set<std::string> low;
  if (const auto found = inspect(image); found.view) low = lower_shapes(*found.view);
  const auto is_low = [&](const std::string& path) {
    return ignored(ignore, path) != nullptr || low.contains(shape_of(path));
  };
  // Apart, so that neither hides the other.
  const auto part = [&](const std::string& text, bool wanted) {
    auto j = nlohmann::json::parse(text, nullptr, false);
    if (!j.is_object()) return text;
    for (auto it = j.begin(); it != j.end();) it = is_low(it.key()) == wanted ? std::next(it) : j.erase(it);
    return j.dump();
  };
  for (const bool lowered : {false, true})
    for (Violation& v : harness::compare_fields(part(expected, lowered), part(actual, lowered))) {
      if (const Ignored* i = ignored(ignore, v.place)) v.requirement = i->requirement;
      out.add(catalogue, std::move(v), lowered);
    }
}

std::vector<Buffer> images_of(Op op, const std::string& body) {
  std::vector<Buffer> out;
  if (op == Op::lower) {
    if (auto image = image_of(body)) out.push_back(std::move(*image));
  } else if (op == Op::lower_neff) {
    if (auto answer = lower_neff_of(body)) out = std::move(answer->images);
  }
  return out;
}

std::optional<Window> window_at(ByteView image, const std::string& place) {
  constexpr std::uint64_t kAround = 16, kMost = 64;
  std::uint64_t at = 0, size = 0;
  bool known = false;
  if (place.rfind("image+", 0) == 0 && place.size() > 6 && place.size() < 25) {
    for (std::size_t i = 6; i < place.size() && std::isdigit(static_cast<unsigned char>(place[i])) != 0; ++i)
      at = at * 10 + static_cast<std::uint64_t>(place[i] - '0');
    known = true;
    size = 1;
  } else {
    const Inspection found = inspect(image, kMaxFindings);
    if (found.view)
      walk(*found.view, [&](const FieldVisit& v) {
        if (known || v.path != place) return;
        known = true;
        at = v.raw.empty() ? v.offset : static_cast<std::uint64_t>(v.raw.data() - image.data());
        size = v.raw.size();
      });
    for (const Finding& f : found.findings) {
      if (known) break;
      if (f.path != place) continue;
      known = true;
      at = f.offset;
      size = 1;
    }
  }
  if (!known || at >= image.size()) return std::nullopt;
  Window w;
  w.field = at;
  w.length = static_cast<std::uint32_t>(std::min({size, kMost, image.size() - at}));
  w.begin = at >= kAround ? (at - kAround) / 16 * 16 : 0;
  const std::uint64_t end = std::min<std::uint64_t>(image.size(), align_up(at + w.length + kAround, 16));
  w.bytes.assign(as_text(image.subspan(w.begin, end - w.begin)));
  return w;
}

}  // namespace assay::conformance
