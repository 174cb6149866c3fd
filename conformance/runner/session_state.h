// SPDX-License-Identifier: Apache-2.0
// What a session keeps between questions. Internal to this room.
#pragma once

#include "conformance/runner/session.h"

namespace assay::conformance {

struct InARow {
  unsigned timeouts = 0, errors = 0;
  std::string first;  // of the errors that are no timeouts: why
};
inline constexpr std::size_t kOps = static_cast<std::size_t>(Op::udma) + 1;
inline constexpr std::chrono::milliseconds kGlance{100};  // how long an interruption may go unseen

// The child of the moment and what outlives it.
struct Session::State {
  Command command;
  ChildLimits limits;
  std::string suite;
  const std::atomic<bool>* stop = nullptr;
  Hello hello;
  Notes notes;
  std::optional<Child> child;
  std::uint64_t next_id = 1;  // of a question; never again, so that one that answers the same for ever is found out
  std::array<InARow, kOps> in_a_row{};
  std::array<std::string, kOps> given_up{};  // "" or why
  unsigned failed_starts = 0;                // in a row

  bool stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
  Read<Hello> greet();
  std::string ready();  // "" or why there is no child
};

// One call of ask(): see session.h. Tells what can be told before it throws or returns.
void ask_through(Session::State& state, std::span<const Question> questions,
                 const std::function<void(std::size_t, Ending)>& tell);

}  // namespace assay::conformance
