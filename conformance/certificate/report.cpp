// SPDX-License-Identifier: Apache-2.0
// report.html: levels, the matrix of requirements, and each failing field with both values and the bytes around
// it. Only escaped text gets in, and the page may load and run nothing.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "conformance/certificate/certificate.h"
#include "conformance/certificate/report_style.h"
#include "conformance/certificate/summary.h"
#include "conformance/certificate/text.h"

namespace assay::conformance {
namespace {

constexpr std::size_t kInFull = 5;    // failures of one requirement that are shown with their bytes; errors at the top
constexpr std::size_t kListed = 200;  // names of one list

std::string esc(std::string_view text) { return escape_markup(text); }
std::string code(std::string_view text) { return "<code>" + esc(text) + "</code>"; }
std::string tag(std::string_view kind, std::string_view text) {
  return fmt::format("<span class=\"tag {}\">{}</span>", kind, text);
}

// How a verdict looks: a colour and a sign, so that neither is needed alone.
struct Look {
  std::string_view kind, sign;
};
Look look_of(const RequirementRow& r) {
  switch (r.verdict) {
    case RowVerdict::pass: return {"good", "✓"};
    case RowVerdict::waived: return {"warn", "w"};
    case RowVerdict::only_waived: return {"bad", "w"};
    case RowVerdict::fail:
      return r.beside ? Look{"warn", "!"} : r.level == "must" ? Look{"bad", "✗"} : Look{"warn", "✗"};
    case RowVerdict::no_case: return r.level == "must" ? Look{"bad", "?"} : Look{"none", "?"};
    case RowVerdict::not_seen: return {"none", "–"};
  }
  return {"none", "–"};
}

std::string level_tag(const LevelRow& l) {
  if (l.held) return l.with_waivers ? tag("warn", "held, with waivers") : tag("good", "held");
  return l.asked ? tag("bad", "not held") : tag("none", l.part_of_suite ? "not asked for" : "not part of this suite");
}

// Sixteen bytes a line, the field's marked.
std::string hex_of(const Window& w) {
  std::string out = "<pre>";
  for (std::size_t i = 0; i < w.bytes.size(); ++i) {
    const std::uint64_t at = w.begin + i;
    const bool in = at >= w.field && at - w.field < w.length;
    const bool first = in && (at == w.field || i % 16 == 0),
               last = in && (at + 1 - w.field == w.length || i % 16 == 15 || i + 1 == w.bytes.size());
    if (i % 16 == 0) out += fmt::format("{}{:08x}", i == 0 ? "" : "\n", at);
    out += ' ';
    if (first) out += "<mark>";
    out += fmt::format("{:02x}", static_cast<unsigned char>(w.bytes[i]));
    if (last) out += "</mark>";
  }
  return out + "</pre>";
}

std::string side(std::string_view title, const std::string& value, const std::optional<Window>& w) {
  std::string out = fmt::format("<div class=\"side\"><b>{}</b><div class=\"value\">{}</div>", title, esc(value));
  if (w)
    out +=
        fmt::format("<div class=\"soft\">at byte {} of the image{}</div>{}", w->field,
                    w->length > 0 ? fmt::format(", {} byte{}", w->length, w->length == 1 ? "" : "s") : "", hex_of(*w));
  return out + "</div>";
}

struct Named {
  const CaseRow* row;
  const Shown* shown;
};

std::string failure(const Certificate& c, const Named& n) {
  const harness::Violation& v = n.shown->violation;
  return fmt::format(
      "<div class=\"failure\"><div>{}{}</div><div class=\"soft\">case {}, op {}</div><div "
      "class=\"sides\">{}{}</div></div>\n",
      code(v.place), n.row->waived ? " " + tag("warn", esc(waived_text(c, n.row->id))) : "",
      code(n.row->id), name_of(n.row->op), side("expected", v.expected, n.shown->expected),
      side("actual", v.actual, n.shown->actual));
}

std::string name_list(const std::vector<std::string>& names) {
  std::string out = "<ul>";
  for (std::size_t i = 0; i < std::min(names.size(), kListed); ++i) out += "<li>" + code(names[i]) + "</li>";
  if (names.size() > kListed) out += fmt::format("<li>{} more: see certificate.json</li>", names.size() - kListed);
  return out + "</ul>\n";
}

std::string folded(const std::string& summary, const std::vector<std::string>& names) {
  return "<details><summary>" + summary + "</summary>" + name_list(names) + "</details>\n";
}

std::string head(const Certificate& c) {
  const Implementation& who = c.run.implementation;
  std::string out = fmt::format(
      "<h1>KBIN conformance of {} {}</h1>\n<p>{}</p>\n", esc(who.name), esc(who.version),
      c.held ? tag("good", "every level asked for is held") : tag("bad", "not every level asked for is held"));
  const auto fact = [&](std::string_view what, const std::string& value) {
    out += fmt::format("<dt>{}</dt><dd>{}</dd>", what, value);
  };
  out += "<dl class=\"facts\">";
  fact("plugged in as", esc(who.way) + ": " + code(who.command));
  fact("suite", esc(c.run.suite_version) + ", " + code(c.run.suite_hash));
  fact("generated", fmt::format("{} cases from seed {}", c.run.generated, c.run.seed));
  fact("date", esc(c.run.date));
  std::string counts;
  for (const Outcome o :
       {Outcome::pass, Outcome::fail, Outcome::error, Outcome::unproven, Outcome::unsupported, Outcome::skipped})
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", c.counts[o], name_of(o));
  fact("cases", fmt::format("{}: {}; {} waived", c.counts.total(), counts, c.counts.waived));
  fact("order", c.run.order.asked == 0 ? std::string("no case was asked again")
                                       : fmt::format("{} asked again in another order, {} answered otherwise",
                                                     c.run.order.asked, c.run.order.differ.size()));
  out += "</dl>\n";
  for (const std::string& p : c.problems) out += fmt::format("<p>{} {}</p>\n", tag("bad", "run"), esc(p));
  for (const std::string& name : who.unknown_ops)
    out += fmt::format("<p>{} its hello lists {}, which is no op</p>\n", tag("warn", "hello"), code(name));
  std::size_t causes = 0;
  for (const Cause& cause : causes_of_errors(c.cases))
    if (!cause.not_sent && ++causes <= kInFull)
      out += fmt::format("<p>{} {} × {}</p>\n", tag("bad", "error"), cause.cases.size(),
                         esc(cause.why));
  if (causes > kInFull)
    out += fmt::format("<p>{} {} other errors: see below</p>\n", tag("bad", "error"),
                       causes - kInFull);
  for (const CutOp& o : c.run.cut)
    out += fmt::format("<p>{} op {} was given up: {}; {} cases were not sent</p>\n", tag("bad", "run"), name_of(o.op),
                       esc(o.why), o.cases);
  return out;
}

std::string levels(const Certificate& c) {
  std::string out =
      "<h2 id=\"levels\">Levels</h2>\n<table><thead><tr><th>level</th><th "
      "class=\"n\">passed</th><th></th></tr></thead><tbody>\n";
  for (const LevelRow& l : c.levels)
    out +=
        fmt::format("<tr><td><b>{}</b> {}</td><td class=\"n\">{}</td><td>{} <span class=\"soft\">{}</span></td></tr>\n",
                    l.letter, esc(l.title), l.asked ? fmt::format("{} / {}", l.passed, l.rows) : "–", level_tag(l),
                    l.asked ? esc(l.why) : "");
  return out + "</tbody></table>\n";
}

std::string matrix(const Certificate& c, Catalogue catalogue, const std::map<std::string, std::vector<Named>>& named) {
  std::string out =
      "<h2 id=\"requirements\">Requirements</h2>\n<p class=\"soft\">✓ pass, ✗ not met, ! not met only for another "
      "row's sake: no failure names it, ? no case, w waived, – not shown by "
      "any implementation or not part of this suite; dashed: should or info, which decide no level.</p>\n";
  std::string area;
  for (const RequirementRow& r : c.requirements) {
    const std::string mine = r.id.substr(0, r.id.find('-'));
    if (mine != area)
      out += fmt::format("{}<div class=\"area\"><span class=\"id\">{}</span><div class=\"cells\">",
                         area.empty() ? "" : "</div></div>\n", esc(mine));
    area = mine;
    const Look look = look_of(r);
    const Requirement* row = find_requirement(catalogue, r.id);
    const std::string waived = r.counts.waived > 0 ? fmt::format(", {} waived", r.counts.waived) : "",
                      title = fmt::format("{} ({}): {} of {} cases pass{}. {}", r.id, r.level, r.counts[Outcome::pass],
                                          r.counts.total(), waived, row == nullptr ? "" : row->statement);
    const bool link = named.contains(r.id);
    out += fmt::format("<{0} class=\"cell id {1}{2}\"{3} title=\"{4}\">{5} {6}</{0}>", link ? "a" : "span", look.kind,
                       r.level == "must" ? "" : " lower", link ? fmt::format(" href=\"#{}\"", esc(r.id)) : "",
                       esc(title), esc(r.id.size() > mine.size() ? r.id.substr(mine.size() + 1) : r.id), look.sign);
  }
  return out + (area.empty() ? "" : "</div></div>\n");
}

std::string failures(const Certificate& c, const std::map<std::string, std::vector<Named>>& named,
                     Catalogue catalogue) {
  std::string out = "<h2 id=\"failures\">Failures by requirement</h2>\n";
  if (named.empty()) out += "<p>None.</p>\n";
  for (const auto& [id, list] : named) {
    const Requirement* row = find_requirement(catalogue, id);
    const bool all_waived =
        std::all_of(list.begin(), list.end(), [](const Named& n) { return n.row->waived; });
    out +=
        fmt::format("<h3 id=\"{0}\"><span class=\"id\">{0}</span> {1}</h3>\n<p>{2}</p>\n", esc(id),
                    tag(all_waived ? "warn" : "bad",
                        fmt::format("{} case{}{}", list.size(), list.size() == 1 ? "" : "s",
                                    all_waived ? ", waived" : "")),
                    row == nullptr ? "" : esc(row->statement));
    for (std::size_t i = 0; i < std::min(list.size(), kInFull); ++i) out += failure(c, list[i]);
    if (list.size() <= kInFull) continue;
    std::vector<std::string> rest;
    for (std::size_t i = kInFull; i < list.size(); ++i)
      rest.push_back(list[i].row->id + ": " + list[i].shown->violation.place);
    out += folded(fmt::format("{} more", rest.size()), rest);
  }
  return out;
}

// What has no violation to show: errors, unproven, unsupported and skipped cases by reason; and what decides nothing.
std::string others(const Certificate& c) {
  std::map<std::string, std::vector<std::string>> why, reported;
  for (const CaseRow& r : c.cases) {
    if (r.outcome != Outcome::pass && r.outcome != Outcome::fail)
      why[std::string(name_of(r.outcome)) + (r.why.empty() ? "" : ": " + r.why)].push_back(
          r.id + (r.waived ? " (" + waived_text(c, r.id) + ")" : ""));
    for (const harness::Violation& v : r.reported)
      reported[v.requirement].push_back(
          fmt::format("{}: {}: expected {}, actual {}", r.id, v.place, v.expected, v.actual));
  }
  std::string out;
  if (!why.empty()) out += "<h2 id=\"others\">Cases without a verdict on their answer</h2>\n";
  for (const auto& [text, ids] : why) out += folded(fmt::format("{} ({})", esc(text), ids.size()), ids);
  if (!reported.empty()) out += "<h2 id=\"reported\">Reported, decides nothing</h2>\n";
  for (const auto& [id, lines] : reported) out += folded(fmt::format("{} ({})", esc(id), lines.size()), lines);
  if (!c.waivers.empty()) out += "<h2 id=\"waivers\">Waivers</h2>\n<ul>";
  for (const Waiver& w : c.waivers)
    out += fmt::format("<li>{} until {}: {}</li>", code(w.id), esc(w.until), esc(w.reason));
  return out + (c.waivers.empty() ? "" : "</ul>\n");
}

}  // namespace

std::string report_html(const Certificate& c, Catalogue catalogue) {
  std::map<std::string, std::vector<Named>> named;
  // Cases that are made for a requirement explain it best: first those, then the others.
  for (const bool own : {true, false})
    for (const CaseRow& r : c.cases)
      for (const Shown& s : r.violations) {
        const std::string& id = s.violation.requirement;
        if (own == (!r.requirements.empty() && r.requirements.front() == id)) named[id].push_back({&r, &s});
      }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{} – KBIN conformance</title>\n"
      "<style>{}</style></head><body>\n{}{}{}{}{}</body></html>\n",
      esc(c.run.implementation.name), kReportStyle, head(c), levels(c), matrix(c, catalogue, named),
      failures(c, named, catalogue), others(c));
}

}  // namespace assay::conformance
