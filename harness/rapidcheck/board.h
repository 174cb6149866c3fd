// SPDX-License-Identifier: Apache-2.0
// What the processes of a run share: which batch comes next, what each process is at, counts. And
// the plan of the batches, which all of them can work out for themselves.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/rapidcheck/run.h"

namespace assay::harness::run {

// One property's stretch of cases, from one seed.
struct Item {
  std::size_t property;  // index into the options' properties
  std::uint64_t batch, cases;
};

// The cases by weight (none is 0), largest remainders first; at least 1 for each. The sum is `cases`
// unless there are fewer of them than weights.
std::vector<std::uint64_t> shared_by_weight(std::uint64_t cases, const std::vector<std::uint64_t>& weights);

class Plan {
 public:
  explicit Plan(const RunOptions& options);
  std::uint64_t items() const { return items_; }          // an item may have no case
  std::uint64_t batches() const { return batches_; }      // items that have
  Item item(std::uint64_t i) const;

 private:
  std::vector<std::uint64_t> quota_, size_;  // of each property: cases in all, cases of one batch
  std::uint64_t items_ = 0, batches_ = 0;
};

enum class Phase : std::uint32_t { idle, generating, checking, reducing };

struct Slot {  // of one process
  std::atomic<std::uint64_t> item, at;  // at: cases of the item that were begun
  std::atomic<std::uint64_t> case_seed;
  std::atomic<std::int64_t> since;      // nanoseconds of the steady clock, of the phase
  std::atomic<Phase> phase;
};
struct Tally {  // of one property
  std::atomic<std::uint64_t> cases, nanoseconds, deaths;
};

// Memory that forked processes share.
class Board {
 public:
  Board(std::size_t properties, std::size_t slots);
  ~Board();
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;
  bool ok() const { return memory_ != nullptr; }

  std::atomic<std::uint64_t>& next() { return *reinterpret_cast<std::atomic<std::uint64_t>*>(memory_); }
  std::atomic<std::uint64_t>& stop() { return *(&next() + 1); }
  Tally& tally(std::size_t property) { return reinterpret_cast<Tally*>(memory_ + 16)[property]; }
  Slot& slot(std::size_t i) { return reinterpret_cast<Slot*>(memory_ + slots_at_)[i]; }

 private:
  std::size_t size_, slots_at_;
  unsigned char* memory_ = nullptr;
};

std::int64_t now_ns();

// What a process tells of a stretch it has done.
struct Told {
  std::uint64_t item = 0, cannot_say = 0;
  std::string error;
  Distribution distribution;
  std::optional<FoundFailure> failure;  // files are there when it was made smaller
};

// Does batches until there are none left, telling of each on `fd`; begins with the rest of `resume`
// when that names an item. Does not return.
struct Resume {
  std::optional<std::uint64_t> item;
  std::uint64_t at = 0;
};
[[noreturn]] void work(const RunOptions& options, const Plan& plan, Board& board, std::size_t slot, int fd,
                       const Resume& resume, std::vector<std::string> known);

bool write_out(int fd, const std::string& bytes);  // all of it

std::string pack_told(const Told& told);
// Takes one whole message off the front of `stream`; none: there is not one yet. `error` is set when
// the stream is no such thing.
std::optional<Told> unpack_told(std::string& stream);

// A case that killed a process, made smaller by trying it in further processes; `how` is what
// how_it_ended said of the first.
std::string how_it_ended(int wait_status);  // "": well
void reduce_death(const Property& property, const Subject& subject, Case& c, const std::string& how,
                  std::uint64_t seconds, const std::function<bool()>& stop);

}  // namespace assay::harness::run
