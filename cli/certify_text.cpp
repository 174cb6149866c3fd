// SPDX-License-Identifier: Apache-2.0
#include "cli/certify_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "cli/text.h"
#include "conformance/certificate/summary.h"

namespace assay::cli {
namespace {

using namespace conformance;
using conformance::Outcome;  // there is one of refusals, too

constexpr std::size_t kTold = 20, kCauses = 10;  // failures, and causes of errors, of a whole run
constexpr std::size_t kNames = 6;                // of one list

std::string red(const std::string& word) { return paint(STDOUT_FILENO, Colour::red, word); }

class Text {
 public:
  Text(const CertifyReport& report, Out& out) : report_(report), certificate_(*report.certificate), out_(out) {
    for (const CaseFailure& f : report.failures->all) failures_[result(f).id] = &f;
  }

  void print() {
    if (!report_.filtered) causes();
    for (const CutOp& x : certificate_.run.cut) {
      constexpr std::string_view kWord = "not sent: ";
      const std::string why = x.why.starts_with(kWord) ? x.why.substr(kWord.size()) : x.why;
      out_.line(fmt::format("{}{} cases of {}: {}", kWord, x.cases, name_of(x.op), escape_text(why)));
    }
    failures();
    without_violations();
    reported();
    notes();
    if (!report_.filtered) levels();
    last();
  }

 private:
  const conformance::Result& result(const CaseFailure& f) const { return report_.run->results[f.index]; }
  std::string waived(const std::string& id) const { return waived_text(certificate_, id); }
  // In brackets behind a line, and the word that begins it.
  std::string behind(const std::string& id) const {
    const std::string text = waived(id);
    return text.empty() ? "" : " (" + escape_text(text) + ")";
  }
  std::string before(const std::string& id, const std::string& word) const {
    return waived(id).empty() ? red(word) : "waived " + word;
  }

  void where(const CaseFailure& f) {
    if (!report_.filtered) out_.line("  " + escape_text(f.replay));
    if (!f.directory.empty()) out_.line("  " + escape_text(f.directory));
  }

  // Of a whole run errors are told by what they say: a thousand of one kind are one line.
  void causes() {
    std::size_t n = 0;
    for (const Cause& cause : causes_of_errors(certificate_.cases)) {
      if (cause.not_sent || ++n > kCauses) continue;
      out_.line(fmt::format("{} {} x {}: {}", red("error"), cause.cases.size(), escape_text(cause.why),
                            names_of(cause.cases, kNames)));
      if (const auto f = failures_.find(cause.cases.front()->id); f != failures_.end()) where(*f->second);
    }
    if (n > kCauses) out_.line(fmt::format("and {} more kinds of errors, see the report", n - kCauses));
  }

  void failures() {
    std::size_t told = 0, more = 0;
    // Those of cases made for the row that they fail first: they say best what is wrong.
    std::vector<const CaseFailure*> all;
    for (const CaseFailure& f : report_.failures->all) all.push_back(&f);
    std::stable_partition(all.begin(), all.end(), [&](const CaseFailure* f) {
      const conformance::Result& r = result(*f);
      return !r.violations.empty() && r.id.starts_with(r.violations.front().requirement + "/");
    });
    for (const CaseFailure* const one : all) {
      const CaseFailure& f = *one;
      const conformance::Result& r = result(f);
      const bool is_error = r.outcome == Outcome::error;
      if (is_error && !report_.filtered && waived(r.id).empty()) continue;
      if (!report_.filtered && told == kTold) {
        ++more;
        continue;
      }
      ++told;
      const std::string word = before(r.id, is_error ? "error" : "failure");
      if (r.violations.empty()) out_.line(fmt::format("{} {}: {}{}", word, r.id, escape_text(r.why), behind(r.id)));
      for (std::size_t v = 0; v < r.violations.size() && (v == 0 || report_.filtered); ++v) {
        const harness::Violation& x = r.violations[v];
        out_.line(fmt::format("{} {} {} at {}: expected {}, got {}{}", word, r.id, x.requirement, escape_text(x.place),
                              escape_text(x.expected), escape_text(x.actual), behind(r.id)));
      }
      where(f);
    }
    if (more > 0) out_.line(fmt::format("and {} more cases, see the report", more));
  }

  // What has no violation and no directory; of a whole run what is unsupported is counted alone.
  void without_violations() {
    std::size_t told = 0, more = 0;
    for (const conformance::Result& r : report_.run->results) {
      if (r.outcome != Outcome::unproven && !(report_.filtered && r.outcome == Outcome::unsupported)) continue;
      if (!report_.filtered && told == kTold) {
        ++more;
        continue;
      }
      ++told;
      out_.line(fmt::format("{}{} {}{}{}{}", waived(r.id).empty() ? "" : "waived ", name_of(r.outcome), r.id,
                            r.why.empty() ? "" : ": ", escape_text(r.why), behind(r.id)));
    }
    if (more > 0) out_.line(fmt::format("and {} more unproven cases, see the report", more));
  }

  // What decides nothing: of a whole run in one line.
  void reported() {
    std::string all;
    std::size_t n = 0;
    for (const ReportedRow& r : reported_rows(certificate_.cases)) {
      if (report_.filtered)
        out_.line(fmt::format("reported {} {} at {}: expected {}, got {} (decides nothing)", r.first->id, r.requirement,
                              escape_text(r.violation->place), escape_text(r.violation->expected),
                              escape_text(r.violation->actual)));
      else if (++n <= kNames)
        all += fmt::format("{}{} in {} case{}", n == 1 ? "" : ", ", r.requirement, r.cases, r.cases == 1 ? "" : "s");
    }
    if (n > kNames) all += fmt::format(", +{}", n - kNames);
    if (n > 0) out_.line(fmt::format("reported, decides nothing: {}; see the report", all));
  }

  void notes() {
    for (const std::string& name : certificate_.run.implementation.unknown_ops)
      out_.line(fmt::format("note: its hello lists \"{}\", which is no op", escape_text(name)));
    for (const std::string& r : report_.run->notes.remarks) out_.line("note: " + escape_text(r));
  }

  static std::string list(std::string_view key, const std::vector<std::string>& ids) {
    std::string out;
    for (std::size_t i = 0; i < std::min(ids.size(), kNames); ++i) out += (i == 0 ? "" : ",") + ids[i];
    if (ids.size() > kNames) out += fmt::format(",+{}", ids.size() - kNames);
    return out.empty() ? out : fmt::format(" {}={}", key, out);
  }

  void levels() {
    for (const std::string& p : certificate_.problems) out_.line("problem: " + escape_text(p));
    for (const LevelRow& l : certificate_.levels)
      if (l.part_of_suite)
        out_.line(fmt::format("level={} name={} held={} rows={} passed={}{}{}{}", l.letter, escape_word(l.title),
                              l.held ? l.with_waivers ? "with-waivers" : "yes" : "no", l.rows, l.passed,
                              list("missing", l.missing), list("beside", l.beside), l.asked ? "" : " asked=no"));
  }

  void last() {
    const Counts& n = certificate_.counts;
    std::string counts;
    for (std::size_t i = 0; i < std::size(n.of); ++i)
      if (i == 0 || n.of[i] > 0) counts += fmt::format(" {}={}", name_of(static_cast<Outcome>(i)), n.of[i]);
    if (n.waived > 0) counts += fmt::format(" waived={}", n.waived);
    const Implementation& who = certificate_.run.implementation;
    out_.line(fmt::format("implementation={} version={} cases={}{} seed={} seconds={:.1f}", escape_word(who.name),
                          escape_word(who.version), certificate_.cases.size(), counts, certificate_.run.seed,
                          report_.seconds));
    if (report_.filtered) out_.line("a filtered run: no certificate");
    else out_.line("certificate=" + escape_word(report_.directory) + "/report.html");
  }

  const CertifyReport& report_;
  const Certificate& certificate_;
  Out& out_;
  std::map<std::string_view, const CaseFailure*> failures_;
};

}  // namespace

void print_certify(const CertifyReport& report, Out& out) { Text(report, out).print(); }

}  // namespace assay::cli
