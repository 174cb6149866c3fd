// SPDX-License-Identifier: Apache-2.0
#include "harness/rapidcheck/board.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

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

Plan::Plan(const RunOptions& options) {
  std::uint64_t weights = 0;
  for (const Property* p : options.properties) weights += std::max<std::uint32_t>(p->weight, 1);
  std::uint64_t rounds = 0, weighed = 0, given = 0;
  for (const Property* p : options.properties) {
    const std::uint64_t weight = std::max<std::uint32_t>(p->weight, 1);
    size_.push_back(kBatch * weight);
    if (!options.cases) {
      quota_.push_back(~std::uint64_t{0});
      rounds = 1 << 30;
      continue;
    }
    // What is left over by rounding goes to the ones behind, so that the sum is what was asked for.
    weighed += weight;
    const auto upto = static_cast<std::uint64_t>(static_cast<long double>(*options.cases) * weighed / weights);
    quota_.push_back(std::max<std::uint64_t>(upto > given ? upto - given : 0, 1));
    given = std::max(given + 1, upto);
    rounds = std::max(rounds, (quota_.back() + size_.back() - 1) / size_.back());
  }
  items_ = rounds * options.properties.size();
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
