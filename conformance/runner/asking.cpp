// SPDX-License-Identifier: Apache-2.0
// What is in flight, whom a death is blamed on, and when an ending is certain enough to be told.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "conformance/runner/session_state.h"

namespace assay::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr unsigned kTimeoutsInARow = 3, kErrorsInARow = 10, kStartsInARow = 3;
constexpr milliseconds kAfter{5};  // an answer, for output that nobody asked for

Ending error(Trouble trouble, std::string why) {
  Ending e;
  e.trouble = trouble;
  e.why = std::move(why);
  return e;
}

template <class T>
void add_once(std::vector<T>& to, T value) {
  if (std::find(to.begin(), to.end(), value) == to.end()) to.push_back(std::move(value));
}

// One call of ask().
class Asking {
 public:
  Asking(Session::State& s, std::span<const Question> questions, const std::function<void(std::size_t, Ending)>& tell)
      : s_(s), questions_(questions), tell_(tell) {}

  void run() {
    if (s_.child && s_.child->alive()) look_for_noise();
    while (told_ < questions_.size() && !s_.stopped()) {
      fill();
      if (told_ >= questions_.size()) break;
      if (flights_.empty()) continue;
      wait();
    }
    // Interrupted: nobody waits for what is in flight.
    if (!flights_.empty()) s_.child.reset();
    if (!suspect_) tell_all_but(0);
  }

 private:
  // Of the questions asked and not yet told; contiguous, `next_` behind the last.
  struct Flight {
    std::size_t index;
    std::uint64_t id;
    std::size_t bytes;
  };

  // Whether the answer to the first in flight is looked behind: noise or a death there is its own. So it is where
  // nothing follows at once that would bring it to light.
  bool looked_behind() const {
    if (window_ == 1 || flights_.front().index < alone_until_) return true;
    if (questions_.size() == 1 || flights_.size() > 1) return false;
    return next_ == questions_.size() || without_sending(questions_[next_]).has_value();
  }

  // Sends what may be sent, or ends what need not be.
  void fill() {
    while (next_ < questions_.size()) {
      const Question& q = questions_[next_];
      const bool is_alone = next_ < alone_until_;
      if (!flights_.empty() && (is_alone || flights_.front().index < alone_until_ || flights_.size() >= window_))
        return;
      std::optional<Ending> ending = without_sending(q);
      if (!ending && (!s_.child || !s_.child->alive())) {
        const std::string why = s_.ready();
        if (s_.stopped()) return;
        if (!why.empty()) ending = failed_start(why);
      }
      std::string line;
      if (!ending) {
        auto text = request_line(s_.next_id, q.op, q.request);
        if (text) line = std::move(*text);
        else ending = error(Trouble::not_sent, text.error());
      }
      if (ending) {
        if (!flights_.empty()) return;  // in order: once those before it are answered
        finish(next_++, std::move(*ending), false);
        continue;
      }
      if (!flights_.empty() && in_flight_ + line.size() > s_.limits.window_bytes) return;
      s_.child->send(line);
      if (flights_.empty()) since_ = Clock::now();
      flights_.push_back({next_++, s_.next_id++, line.size()});
      in_flight_ += line.size();
    }
  }

  std::optional<Ending> without_sending(const Question& q) const {
    if (!s_.hello.has(q.op)) {
      Ending e;
      e.answer.status = harness::ReplyStatus::unsupported;
      return e;
    }
    const std::string& why = s_.given_up[static_cast<std::size_t>(q.op)];
    if (!why.empty()) return error(Trouble::not_sent, why);
    return std::nullopt;
  }

  Ending failed_start(const std::string& why) {
    if (s_.failed_starts < kStartsInARow) return error(Trouble::not_started, "not started again: " + why);
    for (const Op op : s_.hello.ops) give_up(op, "not sent: it could not be started again: " + why);
    return error(Trouble::not_started, "not started again: " + why);
  }

  // Until something happens to the first in flight.
  void wait() {
    const auto deadline = since_ + s_.limits.timeout;
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    s_.child->step(std::max(milliseconds(0), std::min(left, kGlance)));
    bool heard = false;
    while (!flights_.empty()) {
      const auto line = s_.child->line();
      if (!line) break;
      heard = true;
      if (!take(*line)) return;
    }
    if (flights_.empty()) return;
    if (!s_.child->alive()) return fell(s_.child->death(), s_.child->death_text());
    if (!heard && Clock::now() >= deadline) fell(Trouble::timeout, "timeout");
  }

  // The line that ought to answer the first in flight. False: the child is gone over it.
  bool take(std::string_view line) {
    const Flight flight = flights_.front();
    const Question& q = questions_[flight.index];
    auto answer = read_answer(flight.id, q.op, q.request, line);
    if (!answer) {
      const BadLine& bad = answer.error();
      fell(bad.noise ? Trouble::noise : Trouble::protocol, (bad.noise ? "noise: " : "protocol: ") + bad.what);
      return false;
    }
    const auto now = Clock::now();
    const bool looked = looked_behind();
    if (looked) {
      s_.child->step(kAfter);
      if (s_.child->has_output()) return fell(Trouble::noise, "noise: output behind the answer"), false;
      if (!s_.child->alive()) return fell(s_.child->death(), s_.child->death_text() + " behind the answer"), false;
    }
    Ending e;
    e.answer = std::move(*answer);
    e.micros =
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now - since_).count());
    since_ = Clock::now();
    flights_.pop_front();
    in_flight_ -= flight.bytes;
    unseen_behind_ = !looked;
    finish(flight.index, std::move(e), true);
    return true;
  }

  // The child died, or has to, over what is in flight.
  void fell(Trouble trouble, std::string why) {
    s_.child.reset();
    const std::size_t first = flights_.front().index, behind = flights_.back().index + 1;
    // It may as well be the doing of the one answered before.
    const bool before = unseen_behind_ && !held_.empty() && trouble != Trouble::timeout;
    const bool by_itself = flights_.size() == 1 && !before;
    if (before) held_.pop_back();
    flights_.clear();
    in_flight_ = 0;
    next_ = before ? first - 1 : first;
    unseen_behind_ = false;
    if (trouble == Trouble::timeout && tried_ != first) {
      tried_ = first;
      tried_among_others_ = !by_itself;
      alone_until_ = std::max(alone_until_, behind);
      return;
    }
    if (!by_itself) {
      // One of them: the first, unless another does it alone.
      suspect_ = first;
      suspected_ = error(trouble, std::move(why));
      alone_until_ = std::max(alone_until_, behind);
      return;
    }
    if (suspect_) suspect_.reset();
    next_ = first + 1;
    finish(first, error(trouble, std::move(why)), true);
  }

  // A question's ending is known; told once nothing can change it any more.
  void finish(std::size_t index, Ending e, bool counts) {
    if (index == tried_ && tried_among_others_ && e.answered())
      one_at_a_time("a request that timed out among others was answered alone");
    held_.emplace_back(std::move(e), counts);
    if (suspect_ && index + 1 >= alone_until_) {
      Ending& first = held_[*suspect_ - told_].first;
      suspected_.why += first.answered() ? " (asked together with others; alone it was answered)"
                                         : " (asked together with others)";
      first = std::move(suspected_);
      suspect_.reset();
      one_at_a_time("a child died over several requests, and over none of them alone");
    }
    // The last is held back while output behind its answer could still be its own.
    if (!suspect_) tell_all_but(unseen_behind_ && told_ + held_.size() < questions_.size() ? 1 : 0);
  }

  void tell_all_but(std::size_t last) {
    while (held_.size() > last) {
      auto [ending, of_op] = std::move(held_.front());
      held_.pop_front();
      const std::size_t at = told_++;
      if (of_op) count(questions_[at].op, ending);
      tell_(at, std::move(ending));
    }
  }

  void one_at_a_time(const char* why) {
    window_ = 1;
    s_.limits.window = 1;
    add_once(s_.notes.remarks, std::string(why) + ": from there on requests were sent one at a time");
  }

  // Three timeouts or ten other errors in a row on one op.
  void count(Op op, const Ending& e) {
    InARow& row = s_.in_a_row[static_cast<std::size_t>(op)];
    if (e.answered()) row = {};
    else if (e.trouble == Trouble::timeout) ++row.timeouts;
    else if (row.errors++ == 0) row.first = e.why;
    if (!s_.limits.give_up) return;
    if (row.timeouts >= kTimeoutsInARow)
      give_up(op, fmt::format("not sent: three timeouts in a row on {}", name_of(op)));
    if (row.errors >= kErrorsInARow)
      give_up(op, fmt::format("not sent: ten errors in a row on {}, the first: {}", name_of(op), row.first));
  }

  void give_up(Op op, std::string why) {
    std::string& text = s_.given_up[static_cast<std::size_t>(op)];
    if (!text.empty()) return;
    text = std::move(why);
    add_once(s_.notes.given_up, op);
  }

  // Output that no question is waiting for: the child is not trusted with the next one.
  void look_for_noise() {
    s_.child->step(milliseconds(0));
    if (!s_.child->has_output()) return;
    add_once(s_.notes.remarks, std::string("output behind the last answer"));
    s_.child.reset();
  }

  Session::State& s_;
  std::span<const Question> questions_;
  const std::function<void(std::size_t, Ending)>& tell_;
  std::deque<Flight> flights_;
  std::size_t in_flight_ = 0;  // bytes
  std::size_t next_ = 0, told_ = 0;
  std::size_t window_ = std::max<std::size_t>(1, s_.limits.window);
  Clock::time_point since_;      // the first in flight is the first
  std::size_t alone_until_ = 0;  // questions before it are asked one at a time
  std::optional<std::size_t> suspect_;
  Ending suspected_;
  std::size_t tried_ = static_cast<std::size_t>(-1);  // timed out once
  bool tried_among_others_ = false;
  std::deque<std::pair<Ending, bool>> held_;  // not yet told, from told_ on, and whether it counts
  bool unseen_behind_ = false;                // nothing was read yet behind the last one's answer
};

}  // namespace

void ask_through(Session::State& state, std::span<const Question> questions,
                 const std::function<void(std::size_t, Ending)>& tell) {
  try {
    Asking(state, questions, tell).run();
  } catch (...) {
    state.child.reset();  // with what is in flight
    throw;
  }
}

}  // namespace assay::conformance
