// SPDX-License-Identifier: Apache-2.0
#include "conformance/runner/session.h"

#include "conformance/runner/session_state.h"

namespace assay::conformance {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

Read<Hello> Session::State::greet() {
  auto started = Child::start(command, limits);
  if (!started) return tl::unexpected<std::string>(started.error());
  ++notes.starts;
  child = std::move(*started);
  constexpr std::uint64_t id = 0;  // of every hello
  child->send(hello_line(id, suite));
  const auto deadline = Clock::now() + std::max(limits.timeout, limits.start);
  const auto gone = [this](std::string why) {
    child.reset();
    return tl::unexpected<std::string>("hello: " + why);
  };
  for (;;) {
    child->step(kGlance);
    if (const auto line = child->line()) {
      auto said = read_hello(id, *line);
      if (said) return std::move(*said);
      return gone(said.error().what);
    }
    if (!child->alive()) return gone(child->death_text());
    if (stopped()) return gone("interrupted");
    if (Clock::now() >= deadline) return gone("timeout (is the answer's line flushed?)");
  }
}

std::string Session::State::ready() {
  const auto said = greet();
  const std::string why = said ? difference(hello, *said) : said.error();
  if (why.empty()) failed_starts = 0;
  else ++failed_starts, child.reset();
  return why;
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Read<Session> Session::start(Command command, ChildLimits limits, std::string suite, const std::atomic<bool>* stop) {
  auto state = std::make_unique<State>();
  state->command = std::move(command);
  state->limits = limits;
  state->suite = std::move(suite);
  state->stop = stop;
  auto said = state->greet();
  if (!said && !state->stopped()) said = state->greet();
  if (!said) return tl::unexpected<std::string>(said.error());
  state->hello = std::move(*said);
  return Session(std::move(state));
}

const Hello& Session::hello() const { return state_->hello; }
const Notes& Session::notes() const { return state_->notes; }
void Session::fresh() { state_->child.reset(); }

void Session::ask(std::span<const Question> questions, const std::function<void(std::size_t, Ending)>& tell) {
  ask_through(*state_, questions, tell);
}

Ending Session::ask(const Question& question) {
  Ending ending;
  ending.trouble = Trouble::not_sent;
  ending.why = "interrupted";
  ask(std::span(&question, 1), [&ending](std::size_t, Ending e) { ending = std::move(e); });
  return ending;
}

}  // namespace assay::conformance
