// SPDX-License-Identifier: Apache-2.0
#include "harness/rapidcheck/board.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <numeric>

namespace assay::harness::run {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kBatch = 20;  // cases, times the property's weight

Json binary(const std::string& s) { return Json::binary({s.begin(), s.end()}); }
std::string text(const Json& j) {
  const auto& b = j.get_binary();
  return {b.begin(), b.end()};
}

}  // namespace

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::vector<std::uint64_t> shared_by_weight(std::uint64_t cases, const std::vector<std::uint64_t>& weights) {
  std::vector<std::uint64_t> out(weights.size(), 1);
  if (cases <= weights.size()) return out;
  // Whose share is less than one case gets one; the others share what is left.
  std::uint64_t left = cases, all = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<std::size_t> sharing(weights.size());
  std::iota(sharing.begin(), sharing.end(), std::size_t{0});
  for (std::size_t before = 0; before != sharing.size();) {
    before = sharing.size();
    sharing.erase(std::remove_if(sharing.begin(), sharing.end(), [&](std::size_t i) {
      if (left / all > 0 || left * weights[i] >= all) return false;
      left -= 1;
      all -= weights[i];
      return true;
    }), sharing.end());
  }
  std::uint64_t given = 0;
  for (const std::size_t i : sharing) {
    out[i] = left / all * weights[i] + left % all * weights[i] / all;
    given += out[i];
  }
  const auto remainder = [&](std::size_t i) { return left % all * weights[i] % all; };
  std::stable_sort(sharing.begin(), sharing.end(),
                   [&](std::size_t a, std::size_t b) { return remainder(a) > remainder(b); });
  for (std::size_t k = 0; k < left - given; ++k) ++out[sharing[k]];
  return out;
}

Plan::Plan(const RunOptions& options) {
  std::vector<std::uint64_t> weights;
  for (const Property* p : options.properties) weights.push_back(std::max<std::uint32_t>(p->weight, 1));
  // Where time is the bound every property has its turn early.
  for (const std::uint64_t weight : weights) size_.push_back((options.cases ? kBatch : 1) * weight);
  if (!options.cases) {
    quota_.assign(weights.size(), ~std::uint64_t{0});
    items_ = batches_ = (std::uint64_t{1} << 30) * weights.size();
    return;
  }
  quota_ = shared_by_weight(*options.cases, weights);
  std::uint64_t rounds = 0;
  for (std::size_t i = 0; i < quota_.size(); ++i) {
    const std::uint64_t batches = quota_[i] / size_[i] + (quota_[i] % size_[i] == 0 ? 0 : 1);
    batches_ += batches;
    rounds = std::max(rounds, batches);
  }
  items_ = rounds * weights.size();
}

Item Plan::item(std::uint64_t i) const {
  const std::size_t p = i % size_.size();
  const std::uint64_t batch = i / size_.size(), before = batch * size_[p];
  return {p, batch, before >= quota_[p] ? 0 : std::min(size_[p], quota_[p] - before)};
}

Board::Board(std::size_t properties, std::size_t slots) {
  slots_at_ = 16 + properties * sizeof(Tally);
  size_ = slots_at_ + slots * sizeof(Slot);
  void* const p = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p != MAP_FAILED) memory_ = static_cast<unsigned char*>(p);
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(std::atomic<std::uint64_t>) == 8);
}
Board::~Board() {
  if (memory_ != nullptr) ::munmap(memory_, size_);
}

std::string pack_told(const Told& told) {
  Json j = {{"item", told.item}, {"cannot_say", told.cannot_say}, {"error", told.error},
            {"distribution", told.distribution}};
  if (told.failure) {
    const FoundFailure& f = *told.failure;
    Json files = Json::object();
    for (const auto& [name, bytes] : f.files) files[name] = binary(bytes);
    j["failure"] = {{"requirement", binary(f.violation.requirement)}, {"place", binary(f.violation.place)},
                    {"expected", binary(f.violation.expected)},       {"actual", binary(f.violation.actual)},
                    {"property", binary(f.violation.property)},       {"case_seed", f.case_seed},
                    {"batch", f.batch},                               {"at", f.at},
                    {"files", std::move(files)},                      {"signature", binary(f.signature)}};
  }
  const std::vector<std::uint8_t> body = Json::to_cbor(j);
  const std::uint64_t size = body.size();
  std::string out(reinterpret_cast<const char*>(&size), sizeof size);
  out.append(body.begin(), body.end());
  return out;
}

std::optional<Told> unpack_told(std::string& stream) {
  std::uint64_t size = 0;
  if (stream.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, stream.data(), sizeof size);
  if (stream.size() - sizeof size < size) return std::nullopt;
  const auto* const body = reinterpret_cast<const std::uint8_t*>(stream.data()) + sizeof size;
  const Json j = Json::from_cbor(body, body + size, true, false);
  stream.erase(0, sizeof size + size);
  Told told;
  if (!j.is_object()) {
    told.error = "a process told what cannot be read";
    return told;
  }
  j.at("item").get_to(told.item);
  j.at("cannot_say").get_to(told.cannot_say);
  j.at("error").get_to(told.error);
  j.at("distribution").get_to(told.distribution);
  if (const auto it = j.find("failure"); it != j.end()) {
    FoundFailure f;
    f.violation = {text(it->at("requirement")), text(it->at("place")), text(it->at("expected")),
                   text(it->at("actual")), text(it->at("property"))};
    it->at("case_seed").get_to(f.case_seed);
    it->at("batch").get_to(f.batch);
    it->at("at").get_to(f.at);
    for (const auto& [name, bytes] : it->at("files").items()) f.files[name] = text(bytes);
    f.signature = text(it->at("signature"));
    told.failure = std::move(f);
  }
  return told;
}

}  // namespace assay::harness::run
