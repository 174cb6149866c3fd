// SPDX-License-Identifier: Apache-2.0
// certificate.md and junit.xml.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "conformance/certificate/certificate.h"
#include "conformance/certificate/summary.h"
#include "conformance/certificate/text.h"

namespace assay::conformance {
namespace {

constexpr Outcome kShown[] = {Outcome::pass,     Outcome::fail,        Outcome::error,
                              Outcome::unproven, Outcome::unsupported, Outcome::skipped};

std::string held_text(const LevelRow& l) {
  if (l.held) return l.with_waivers ? "held, with waivers" : "held";
  return l.asked ? "not held" : "-";
}

std::string line_of(const harness::Violation& v) {
  return fmt::format("{}: {}: expected {}, actual {}", v.requirement, v.place, v.expected, v.actual);
}

constexpr std::size_t kListed = 20;  // names of one list; certificate.json has them all

// "4 of 12 cases pass, 8 unsupported; named by 3"
std::string requirement_line(const Certificate& c, const RequirementRow& r, const Requirement* row) {
  std::string cases = fmt::format("{} of {} cases pass", r.counts[Outcome::pass], r.counts.total());
  for (const Outcome o : kShown)
    if (o != Outcome::pass && r.counts[o] > 0) cases += fmt::format(", {} {}", r.counts[o], name_of(o));
  if (r.named > 0) cases += fmt::format("; named by {}", r.named);
  std::size_t waived = 0;
  for (const CaseRow& one : c.cases)
    if (one.waived && std::find(one.requirements.begin(), one.requirements.end(), r.id) != one.requirements.end() &&
        ++waived <= kListed)
      cases += fmt::format("; {} is {}", markdown_code(one.id), markdown_code(waived_text(c, one.id)));
  return fmt::format("- **{}** ({}, {}): {}. {}\n", r.id, r.level, name_of(r.verdict), cases,
                     row == nullptr ? "" : markdown_code(row->statement));
}

// Of the levels asked for: first what is not met by itself, then in one line what is so for another row's sake.
std::string not_met(const Certificate& c, Catalogue catalogue) {
  std::string out, beside;
  std::size_t others = 0;
  for (const RequirementRow& r : c.requirements) {
    if (r.level != "must" || (r.verdict != RowVerdict::fail && r.verdict != RowVerdict::only_waived)) continue;
    if (c.run.asked.find(r.of) == std::string::npos) ++others;
    else if (r.beside) beside += (beside.empty() ? "" : ", ") + r.id;
    else out += requirement_line(c, r, find_requirement(catalogue, r.id));
  }
  if (out.empty() && beside.empty()) out = "None.\n";
  if (!beside.empty())
    out += fmt::format(
        "\nNot met only for another row's sake, since cases that name them too fail for it: {}.\n",
        beside);
  if (others > 0) out += fmt::format("\n{} more of levels that were not asked for.\n", others);
  return out;
}

std::string reported(const Certificate& c, Catalogue catalogue) {
  std::string out;
  for (const ReportedRow& r : reported_rows(c.cases)) {
    const Requirement* row = find_requirement(catalogue, r.requirement);
    out += fmt::format("- **{}** ({}): {} case{}, the first {}: {}\n", r.requirement,
                       row == nullptr ? "must" : row->level, r.cases, r.cases == 1 ? "" : "s",
                       markdown_code(r.first->id), markdown_code(line_of(*r.violation)));
  }
  return out.empty() ? out : "\n## Reported, decides nothing\n\n" + out;
}

}  // namespace

std::string certificate_markdown(const Certificate& c, Catalogue catalogue) {
  const Implementation& who = c.run.implementation;
  std::string out = "# KBIN conformance certificate\n\n";
  const auto line = [&](std::string_view what, const std::string& value) {
    out += fmt::format("- {}: {}\n", what, value);
  };
  line("Implementation", markdown_code(who.name) + " " + markdown_code(who.version));
  line("Plugged in as", fmt::format("{}: {}", markdown_code(who.way), markdown_code(who.command)));
  for (const std::string& name : who.unknown_ops) line("Its hello lists what is no op", markdown_code(name));
  line("Suite", fmt::format("{}, hash {}", markdown_code(c.run.suite_version), markdown_code(c.run.suite_hash)));
  line("Generated cases", fmt::format("{} from seed {}", c.run.generated, c.run.seed));
  line("Date", markdown_code(c.run.date));
  line("Result", c.held ? "**every level asked for is held**" : "**not every level asked for is held**");
  for (const std::string& p : c.problems) line("Problem of the run", markdown_code(p));

  out += "\n## Levels\n\n| level | | requirements | passed | |\n|---|---|---:|---:|---|\n";
  for (const LevelRow& l : c.levels)
    out += fmt::format("| {} {} | {} | {} | {} | {} |\n", l.letter, l.title, held_text(l), l.rows, l.passed, l.why);

  out += fmt::format("\n## Cases\n\n{} cases:", c.counts.total());
  for (const Outcome o : kShown) out += fmt::format(" {} {}{}", c.counts[o], name_of(o), o == kShown[5] ? "" : ",");
  out += fmt::format("; {} waived.\n", c.counts.waived);
  std::size_t causes = 0;
  for (const Cause& cause : causes_of_errors(c.cases))
    if (!cause.not_sent && ++causes <= kListed) out += fmt::format("\n{} × {}\n", cause.cases.size(), markdown_code(cause.why));
  for (const CutOp& o : c.run.cut)
    out += fmt::format("\nThe op {} was given up: {}. {} cases were not sent.\n", name_of(o.op), markdown_code(o.why),
                       o.cases);
  out += c.run.order.asked == 0
             ? std::string("\nNo case was asked again in another order.\n")
             : fmt::format("\n{} cases were asked again in another order; {} were answered otherwise.\n",
                           c.run.order.asked, c.run.order.differ.size());

  out += "\n## Requirements not met\n\n" + not_met(c, catalogue) + reported(c, catalogue);

  if (!c.waivers.empty()) out += "\n## Waivers\n\n";
  for (const Waiver& w : c.waivers)
    out += fmt::format("- {} until {}: {}\n", markdown_code(w.id), markdown_code(w.until), markdown_code(w.reason));

  out += "\n## Cases that did not pass\n\n";
  if (c.counts.total() == c.counts[Outcome::pass]) out += "None.\n";
  std::map<std::string_view, std::size_t> unsupported;  // by op; certificate.json has their names
  for (const CaseRow& r : c.cases)
    if (r.outcome == Outcome::unsupported && !r.waived) ++unsupported[name_of(r.op)];
  for (const auto& [op, cases] : unsupported)
    out += fmt::format("- {}: {} case{} unsupported\n", op, cases, cases == 1 ? "" : "s");
  for (const Cause& cause : causes_of_errors(c.cases))
    out += fmt::format("- error: {}: {} case{}: {}\n", markdown_code(cause.why), cause.cases.size(),
                       cause.cases.size() == 1 ? "" : "s", markdown_code(names_of(cause.cases, kListed)));
  for (const CaseRow& r : c.cases) {
    if (r.outcome == Outcome::pass) continue;
    if (!r.waived && (r.outcome == Outcome::unsupported || r.outcome == Outcome::error)) continue;
    out += fmt::format("- {}: {}{}", markdown_code(r.id), name_of(r.outcome),
                       r.waived ? ", " + markdown_code(waived_text(c, r.id)) : "");
    out += r.why.empty() ? "\n" : ": " + markdown_code(r.why) + "\n";
    for (const Shown& s : r.violations) out += fmt::format("  - {}\n", markdown_code(line_of(s.violation)));
  }
  return out;
}

// One suite, a test case each; a waived failure and what was not answered are skipped, never passed.
std::string junit_xml(const Certificate& c) {
  std::size_t failures = 0, errors = 0, skipped = 0;
  std::string body;
  for (const CaseRow& r : c.cases) {
    const std::string name = escape_markup(r.id), group = escape_markup(std::string(name_of(r.op)));
    body += fmt::format("  <testcase classname=\"{}\" name=\"{}\"", group, name);
    std::string text, message = r.why;
    for (const Shown& s : r.violations) text += line_of(s.violation) + "\n";
    if (message.empty() && !r.violations.empty()) message = line_of(r.violations.front().violation);
    const auto child = [&](std::string_view tag) {
      body += fmt::format(">\n    <{0} message=\"{1}\">{2}</{0}>\n  </testcase>\n", tag, escape_markup(message),
                          escape_markup(text));
    };
    if (r.outcome == Outcome::pass) {
      body += "/>\n";
    } else if (r.waived || r.outcome == Outcome::unsupported || r.outcome == Outcome::skipped) {
      ++skipped;
      message = (r.waived ? waived_text(c, r.id) : std::string(name_of(r.outcome))) + (message.empty() ? "" : ": " + message);
      body += fmt::format(">\n    <skipped message=\"{}\"/>\n  </testcase>\n", escape_markup(message));
    } else if (r.outcome == Outcome::error) {
      ++errors;
      child("error");
    } else {
      ++failures;
      if (r.outcome == Outcome::unproven) message = "unproven: " + message;
      child("failure");
    }
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}</testsuite>\n",
      escape_markup("kbin " + c.run.suite_version + " on " + c.run.implementation.name), c.cases.size(), failures,
      errors, skipped, body);
}

}  // namespace assay::conformance
