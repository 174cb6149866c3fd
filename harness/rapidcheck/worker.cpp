// SPDX-License-Identifier: Apache-2.0
// A process of a run: batches one after the other, what it is at written on the board.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>

#include "harness/cases/cases.h"
#include "harness/rapidcheck/batch.h"
#include "harness/rapidcheck/board.h"

// Where clang's coverage is built in: a forked process that leaves by _exit writes its counts itself.
extern "C" int __llvm_profile_write_file() __attribute__((weak));

namespace assay::harness::run {
namespace {

constexpr std::uint64_t kDeaths = 5;  // of one property: then the rest of it is left out

class Worker {
 public:
  Worker(const RunOptions& options, const Plan& plan, Board& board, std::size_t slot, int fd,
         std::vector<std::string> known)
      : options_(options), plan_(plan), board_(board), slot_(board.slot(slot)), fd_(fd), known_(std::move(known)) {}

  // False when nobody listens any more.
  bool run(std::uint64_t index, std::uint64_t at) {
    const Item item = plan_.item(index);
    Tally& tally = board_.tally(item.property);
    slot_.at = at;
    slot_.item = index;
    while (at < item.cases && board_.stop() == 0 && tally.deaths < kDeaths) {
      const Told told = stretch(item, index, at);
      if (!write_out(fd_, pack_told(told))) return false;
      if (!told.error.empty() || !told.failure) break;
      at = slot_.at;
    }
    return true;
  }

 private:
  void at(Phase phase) {
    slot_.since = now_ns();
    slot_.phase = phase;
  }

  // Cases up to the item's end or the first failure.
  Told stretch(const Item& item, std::uint64_t index, std::uint64_t from) {
    const Property& property = *options_.properties[item.property];
    Tally& tally = board_.tally(item.property);
    Told told;
    told.item = index;
    BatchSpec spec;
    spec.property = &property;
    spec.subject = options_.subject;
    spec.seed = mixed_seed(options_.seed, property.name, item.batch, from);
    spec.cases = item.cases - from;
    spec.reduce_checks = options_.reduce_checks;

    BatchEvents events;
    events.go_on = [&] { return board_.stop() == 0; };
    events.generating = [&](std::uint64_t seed) {
      slot_.case_seed = seed;
      ++slot_.at;
      at(Phase::generating);
    };
    events.checking = [&](const Case& c) {
      count(c, told.distribution);
      ++tally.cases;
      at(Phase::checking);
    };
    events.reducing = [&] { at(Phase::reducing); };
    events.worth_reducing = [&](const Signature& s) {
      return std::find(known_.begin(), known_.end(), s.text()) == known_.end();
    };
    const std::int64_t begin = now_ns();
    BatchResult r = run_batch(spec, events);
    slot_.phase = Phase::idle;
    tally.nanoseconds += static_cast<std::uint64_t>(now_ns() - begin);
    told.cannot_say = r.cannot_say;
    told.error = std::move(r.error);
    if (r.failure) tell(property, item, *r.failure, told);
    return told;
  }

  void tell(const Property& property, const Item& item, const BatchFailure& failure, Told& told) {
    FoundFailure f;
    f.property = &property;
    f.violation = failure.verdict.violations.front();
    f.case_seed = failure.case_seed;
    f.batch = item.batch;
    f.at = slot_.at;
    f.signature = failure.signature.text();
    if (std::find(known_.begin(), known_.end(), f.signature) == known_.end()) {
      known_.push_back(f.signature);
      if (auto files = files_of(failure.smallest, f.violation.text())) f.files = std::move(*files);
      else f.violation.actual += " (the case cannot be stored: " + files.error() + ")";
    }
    told.failure = std::move(f);
  }

  static void count(const Case& c, Distribution& distribution) {
    std::vector<std::string> labels = labels_of(c);
    // A case counts once for each: "section var" of two graphs is one case with that section.
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    auto& of_kind = distribution[std::string(name_of(kind_of(c)))];
    for (const std::string& label : labels) ++of_kind[label];
  }

  const RunOptions& options_;
  const Plan& plan_;
  Board& board_;
  Slot& slot_;
  int fd_;
  std::vector<std::string> known_;
};

}  // namespace

bool write_out(int fd, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return true;
}

void work(const RunOptions& options, const Plan& plan, Board& board, std::size_t slot, int fd,
          const Resume& resume, std::vector<std::string> known) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // A terminal interrupts every process of its own; when to end is said on the board.
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGTERM, SIG_IGN);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // What an implementation prints is no part of the report.
  if (const int null = ::open("/dev/null", O_WRONLY); null >= 0) ::dup2(null, STDOUT_FILENO);
  try {
    Worker worker(options, plan, board, slot, fd, std::move(known));
    bool heard = !resume.item || worker.run(*resume.item, resume.at);
    while (heard && board.stop() == 0) {
      const std::uint64_t item = board.next()++;
      if (item >= plan.items()) break;
      heard = worker.run(item, 0);
    }
  } catch (const std::exception& e) {
    Told told;
    told.error = e.what();
    write_out(fd, pack_told(told));
  }
  if (__llvm_profile_write_file != nullptr) __llvm_profile_write_file();
  ::_exit(0);
}

}  // namespace assay::harness::run
