// SPDX-License-Identifier: Apache-2.0
// Certificates as documents: what they say, that they come out the same, and that no text gets out of its place.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "conformance/certificate/failure.h"
#include "conformance/certificate/summary.h"
#include "conformance/certificate/text.h"
#include "conformance/suite/told.h"
#include "conformance/test/small_suite.h"
#include "harness/cases/files.h"

namespace assay::conformance {
namespace {

using harness::ReplyStatus;
using Json = nlohmann::json;

// Every level that the small catalogue has rows of, and no more, is asked for.
Certificate right(std::vector<Waiver> waivers = {}) {
  return test::run(harness::oracle_subject()).certificate(std::move(waivers));
}
Certificate wrong_ninstr(std::vector<Waiver> waivers = {}) {
  return test::run(test::mutant("LOW-003-ninstr-up")).certificate(std::move(waivers));
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}
const CaseRow& row(const Certificate& c, std::string_view id) {
  for (const CaseRow& r : c.cases)
    if (r.id == id) return r;
  throw std::runtime_error("no such case");
}

TEST(Certificate, TheOracleHoldsEveryLevelAskedFor) {
  const Certificate c = right();
  EXPECT_TRUE(c.held);
  EXPECT_EQ(exit_code(c), 0);
  EXPECT_EQ(c.counts[Outcome::pass], test::small_suite().size());
  const Json j = Json::parse(certificate_json(c));
  for (const char* l : {"D", "S", "I", "L"}) EXPECT_EQ(j["levels"][l]["held"], true) << l;
  for (const char* l : {"N", "R", "H"}) EXPECT_EQ(j["levels"][l]["held"], false) << l;
  EXPECT_EQ(j["suite"]["version"], "1.0");
  EXPECT_EQ(j["implementation"]["command"], "./implementation --serve");
  EXPECT_EQ(j["cases"].size(), test::small_suite().size());
  for (const Json& one : j["cases"]) EXPECT_EQ(one["sha256"].get<std::string>().size(), 64u);
}

TEST(Certificate, TheSameRunGivesTheSameDocuments) {
  EXPECT_EQ(documents_of(right(), test::small_catalogue()), documents_of(right(), test::small_catalogue()));
  EXPECT_EQ(documents_of(wrong_ninstr(), test::small_catalogue()),
            documents_of(wrong_ninstr(), test::small_catalogue()));
}

TEST(Certificate, ReadingAndWritingItGivesTheSameText) {
  for (const Certificate& c : {right(), wrong_ninstr(), wrong_ninstr({{"LOW-003/ragged", "known", "2027-01-31"}})}) {
    const std::string text = certificate_json(c);
    const auto again = read_certificate(text);
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(certificate_json(*again), text);
    EXPECT_EQ(report_html(*again, test::small_catalogue()), report_html(c, test::small_catalogue()));
  }
}

TEST(Certificate, TextThatIsNoneIsAnErrorAndNothingElse) {
  const std::string text = certificate_json(wrong_ninstr());
  for (std::size_t n = 0; n + 1 < text.size(); n += 97) EXPECT_FALSE(read_certificate(text.substr(0, n)));
  const Json whole = Json::parse(text), flat = whole.flatten();
  std::size_t refused = 0;
  for (const auto& [key, value] : flat.items()) {
    for (const Json& other : {Json(nullptr), Json(-1), Json("\x01"), Json::array({1}), Json::object()}) {
      Json edited = whole;
      edited[Json::json_pointer(key)] = other;
      if (!read_certificate(edited.dump())) ++refused;  // what is read was of the right shape
    }
    if (refused > 400) break;
  }
  EXPECT_GT(refused, 200u);
}

TEST(Certificate, AFailureSaysWhereWhatAndWhy) {
  const Certificate c = wrong_ninstr();
  EXPECT_FALSE(c.held);
  EXPECT_EQ(exit_code(c), 1);
  const std::string html = report_html(c, test::small_catalogue());
  const Shown* low003 = nullptr;
  for (const Shown& s : row(c, "LOW-003/ragged").violations)
    if (s.violation.requirement == "LOW-003") low003 = &s;
  ASSERT_NE(low003, nullptr);
  EXPECT_TRUE(has(html, "id=\"LOW-003\""));
  EXPECT_TRUE(has(html, "ninstr is blob bytes &gt;&gt; 6"));
  EXPECT_TRUE(has(html, low003->violation.place));
  EXPECT_TRUE(has(html, "<div class=\"value\">" + low003->violation.expected + "</div>"));
  EXPECT_TRUE(has(html, "<div class=\"value\">" + low003->violation.actual + "</div>"));
  const Window& w = *low003->actual;
  std::string bytes = to_hex(w.bytes.substr(w.field - w.begin, 4));
  for (int i = 3; i > 0; --i) bytes.insert(static_cast<std::size_t>(i) * 2, " ");
  EXPECT_TRUE(has(html, "<mark>" + bytes + "</mark>"));
  EXPECT_TRUE(has(certificate_markdown(c, test::small_catalogue()), "LOW-003"));
  EXPECT_TRUE(has(junit_xml(c), "LOW-003"));
}

TEST(Certificate, WhatIsUnsupportedIsCountedAndNotListed) {
  Answer none;
  none.status = ReplyStatus::unsupported;
  const auto run = test::run([&](const Case& c) -> Answered {
    return c.op == Op::dtype ? test::ask(harness::oracle_subject(), c) : none;
  });
  const std::string all = certificate_markdown(run.certificate(), test::small_catalogue()),
                    dtypes = certificate_markdown(run.certificate({}, "D"), test::small_catalogue());
  EXPECT_TRUE(has(all, "- **LOW-003** (must, fail): 0 of 1 cases pass, 1 unsupported. ")) << all;
  EXPECT_FALSE(has(all, "for another row's sake")) << all;
  EXPECT_TRUE(has(all, "- lower: ")) << all;
  EXPECT_FALSE(has(all, "- `LOW-003/ragged`")) << all;
  EXPECT_FALSE(has(dtypes, "LOW-003")) << dtypes;
  EXPECT_TRUE(has(dtypes, " more of levels that were not asked for.")) << dtypes;
  EXPECT_TRUE(has(certificate_markdown(wrong_ninstr(), test::small_catalogue()), "1 fail; named by "));
}

TEST(Certificate, ARequirementsOwnCasesExplainItFirst) {
  Certificate c = wrong_ninstr();
  const CaseRow own = row(c, "LOW-003/ragged");
  const auto first = [](const Certificate& of) {
    const std::string html = report_html(of, test::small_catalogue());
    const auto section = html.find("<h3 id=\"LOW-003\"");
    return html.compare(html.find("case <code>", section) + 11, 14, "LOW-003/ragged") == 0;
  };
  EXPECT_TRUE(first(c));
  for (CaseRow& r : c.cases)
    if (r.id < own.id && r.op == own.op) r.violations = own.violations;
  EXPECT_TRUE(first(c));
}

TEST(Certificate, JUnitCountsWhatItHolds) {
  auto run = test::run([](const Case& c) -> Answered {
    if (c.op == Op::dtype) return tl::unexpected<std::string>("crash: SIGSEGV");
    if (c.op == Op::lower && c.expect == ReplyStatus::ok) {
      Answer a;
      a.status = ReplyStatus::unsupported;
      return a;
    }
    return test::ask(harness::oracle_subject(), c);
  });
  const std::string xml = junit_xml(run.certificate());
  EXPECT_EQ(count(xml, "<testcase "), test::small_suite().size());
  EXPECT_TRUE(has(xml, "errors=\"" + std::to_string(count(xml, "<error ")) + "\""));
  EXPECT_TRUE(has(xml, "failures=\"" + std::to_string(count(xml, "<failure ")) + "\""));
  EXPECT_TRUE(has(xml, "skipped=\"" + std::to_string(count(xml, "<skipped ")) + "\""));
  EXPECT_EQ(count(xml, "<error "), 2u);
  EXPECT_GE(count(xml, "<skipped "), 3u);
  EXPECT_TRUE(has(xml, "unproven: "));  // the refusal whose twin was not accepted
}

TEST(Certificate, AWaivedFailureIsShownAndHoldsNothingAlone) {
  const Certificate c = wrong_ninstr({{"LOW-003/ragged", "fixed in 1.3", "2027-01-31"}});
  EXPECT_TRUE(row(c, "LOW-003/ragged").waived);
  EXPECT_FALSE(c.held);  // LOW-003 has no other case
  EXPECT_TRUE(has(report_html(c, test::small_catalogue()), "waived"));
  EXPECT_TRUE(has(certificate_markdown(c, test::small_catalogue()), "fixed in 1.3"));
  EXPECT_TRUE(has(junit_xml(c), "<skipped message=\"waived until 2027-01-31: fixed in 1.3: "));
  EXPECT_FALSE(right({{"LOW-003/ragged", "stale", "2027-01-31"}}).held);
  EXPECT_FALSE(right({{"none", "unknown", "2027-01-31"}}).held);
  EXPECT_FALSE(wrong_ninstr({{"LOW-003/ragged", "late", "2026-11-29"}}).held);
}

// LOW-003/ragged, which names LOW-004 too, is the only one that fails.
Certificate alone(Certificate c) {
  for (CaseRow& r : c.cases)
    if (r.id != "LOW-003/ragged" && r.outcome == Outcome::fail) r.outcome = Outcome::pass, r.violations.clear();
  compute(c, test::small_catalogue());
  return c;
}

TEST(Certificate, AWaivedFailureSaysUntilWhenAndWhy) {
  const Certificate c = alone(wrong_ninstr({{"LOW-003/ragged", "fixed in 1.3", "2027-01-31"}}));
  const std::string md = certificate_markdown(c, test::small_catalogue()),
                    html = report_html(c, test::small_catalogue()), why = "waived until 2027-01-31: fixed in 1.3";
  EXPECT_EQ(waived_text(c, "LOW-003/ragged"), why);
  EXPECT_EQ(waived_text(c, "LOW-012/name"), "");
  EXPECT_TRUE(has(md, "1 fail; `LOW-003/ragged` is `" + why + "`. ")) << md;
  EXPECT_TRUE(has(md, "- `LOW-003/ragged`: fail, `" + why + "`\n")) << md;
  EXPECT_FALSE(has(md, "for another row's sake")) << md;
  EXPECT_TRUE(has(html, "<span class=\"tag warn\">" + why + "</span>"));
  EXPECT_TRUE(has(html, " 1 waived. ninstr is blob bytes"));
}

// A case that names two rows fails for one of them: that one comes first, the other apart.
TEST(Certificate, WhatIsNotMetForAnotherRowsSakeStandsApart) {
  const Certificate c = alone(wrong_ninstr());
  const std::string md = certificate_markdown(c, test::small_catalogue());
  const auto own = md.find("\n- **LOW-003** (must, fail)"),
             apart = md.find("since cases that name them too fail for it: ");
  ASSERT_TRUE(own != md.npos && apart != md.npos) << md;
  EXPECT_LT(own, apart);
  EXPECT_EQ(md.compare(apart + 44, 9, "LOW-004.\n"), 0) << md;
  const LevelRow& l = *std::find_if(c.levels.begin(), c.levels.end(),
                                    [](const LevelRow& x) { return x.letter == 'L'; });
  EXPECT_EQ(l.beside, std::vector<std::string>{"LOW-004"});
  EXPECT_EQ(l.missing.front(), "LOW-003");
  EXPECT_TRUE(has(report_html(c, test::small_catalogue()), ">004 !</span>"));
}

TEST(Certificate, WhatDecidesNothingIsToldAllTheSame) {
  auto run = test::run(harness::oracle_subject());
  for (Result& r : run.results)
    if (r.id == "LOW-012/name")
      r.reported = {{"DMQ-019", "x", "1", "2", {}}, {"DMQ-019", "y", "1", "2", {}}, {"LOW-004", "z", "3", "4", {}}};
  const Certificate c = run.certificate();
  EXPECT_TRUE(c.held);
  const std::string md = certificate_markdown(c, test::small_catalogue());
  EXPECT_TRUE(has(md, "## Requirements not met\n\nNone.\n")) << md;
  EXPECT_TRUE(has(md, "## Reported, decides nothing\n\n- **DMQ-019** (info): 1 case, the first `LOW-012/name`: "
                      "`DMQ-019: x: expected 1, actual 2`\n- **LOW-004** (must): 1 case,"))
      << md;
  EXPECT_FALSE(has(certificate_markdown(right(), test::small_catalogue()), "## Reported"));
}

TEST(Certificate, ErrorsAreCountedByWhatTheySay) {
  std::size_t n = 0;
  const auto run = test::run([&](const Case& c) -> Answered {
    ++n;
    if (c.op == Op::decode) return test::ask(harness::oracle_subject(), c);
    return tl::unexpected<std::string>(n == 2 ? "timeout" : n > 5 ? "not sent: ten errors in a row" : "crash: SIGSEGV");
  });
  const Certificate c = run.certificate();
  const auto causes = causes_of_errors(c.cases);
  ASSERT_EQ(causes.size(), 3u);
  EXPECT_EQ(causes[0].why, "crash: SIGSEGV");
  EXPECT_EQ(causes[1].why, "timeout");
  EXPECT_TRUE(causes[2].not_sent);
  const std::string times = std::to_string(causes[0].cases.size()), md = certificate_markdown(c, test::small_catalogue());
  EXPECT_TRUE(has(md, "\n" + times + " × `crash: SIGSEGV`\n\n1 × `timeout`\n")) << md;
  EXPECT_TRUE(has(md, "- error: `crash: SIGSEGV`: " + times + " cases: `DT-002/known, ")) << md;
  EXPECT_TRUE(has(report_html(c, test::small_catalogue()), "</span> " + times + " × crash: SIGSEGV</p>"));
  EXPECT_EQ(names_of(causes[0].cases, 1), "DT-002/known, +" + std::to_string(causes[0].cases.size() - 1));
}

TEST(Certificate, OpsThatAreNoneAreTold) {
  Certificate c = right();
  c.run.implementation.unknown_ops = {"lowr", "`<b>"};
  const auto documents = documents_of(c, test::small_catalogue());
  EXPECT_TRUE(has(documents.at("certificate.md"), "- Its hello lists what is no op: `lowr`\n"));
  EXPECT_TRUE(has(documents.at("report.html"), "its hello lists <code>lowr</code>, which is no op"));
  EXPECT_FALSE(has(documents.at("report.html"), "<b>`"));
  EXPECT_EQ(read_certificate(documents.at("certificate.json"))->run.implementation.unknown_ops,
            c.run.implementation.unknown_ops);
  EXPECT_TRUE(c.held);
}

TEST(Certificate, RunsThatProveNothingHoldNothing) {
  EXPECT_EQ(exit_code(test::Run{}.certificate()), 1);
  EXPECT_EQ(test::Run{}.certificate().problems, std::vector<std::string>{"no case was executed"});
  const auto every = [](const test::Asker& asker) { return test::run(asker).certificate(); };
  Answer refused, alike, echo;
  refused.status = ReplyStatus::refused;
  alike.status = echo.status = ReplyStatus::ok;
  for (const Case& c : test::small_suite())
    if (c.op == Op::lower && c.expect == ReplyStatus::ok) alike.body = c.answer;
  for (const Certificate& c :
       {every([&](const Case&) -> Answered { return refused; }), every([&](const Case&) -> Answered { return alike; }),
        every([&](const Case& one) -> Answered { return echo.body = one.request, echo; }),
        every([](const Case&) -> Answered { return tl::unexpected<std::string>("timeout"); })}) {
    EXPECT_EQ(exit_code(c), 1);
    for (const LevelRow& l : c.levels) EXPECT_FALSE(l.held) << l.letter;
  }
  EXPECT_FALSE(test::run(harness::oracle_subject()).certificate({}, "").held);  // no level was asked for
}

TEST(Certificate, HostileTextStaysText) {
  const std::string evil =
      "</pre></style><script>alert(1)</script>\"'><img src=x onerror=y> ]]> `rm` | [a](javascript:b)\n# h "
      "\x01\x7f\xff\xed\xa0\x80\xEF\xBF\xBF";
  auto run = test::run([&](const Case& c) -> Answered {
    if (c.op == Op::dtype) return tl::unexpected<std::string>(evil);
    Answer a = *test::ask(harness::oracle_subject(), c);
    if (c.expect == ReplyStatus::ok) a.status = ReplyStatus::refused, a.body.clear();
    a.reason = a.at = evil;
    return a;
  });
  run.results[2].reported.push_back({"LOW-008", evil, evil, evil, {}});
  Certificate c = run.certificate();
  c.run.implementation = {clean(evil), clean(evil), "process", clean(evil), {}};
  c.waivers = {{"x", clean(evil), "2027-01-31"}};
  compute(c, test::small_catalogue());
  const auto documents = documents_of(c, test::small_catalogue());
  const std::string& html = documents.at("report.html");
  EXPECT_FALSE(has(html, "<script"));
  EXPECT_FALSE(has(html, "<img"));
  EXPECT_EQ(count(html, "</style>"), 1u);
  EXPECT_TRUE(has(html, "&lt;script&gt;"));
  const std::string& xml = documents.at("junit.xml");
  EXPECT_FALSE(has(xml, "<script"));
  for (const char ch : xml) EXPECT_TRUE(static_cast<unsigned char>(ch) >= 0x20 || ch == '\n');
  EXPECT_FALSE(has(xml, "\xEF\xBF\xBF"));
  const std::string& md = documents.at("certificate.md");
  EXPECT_EQ(count(md, "\n# "), 0u);  // its own title stands first
  EXPECT_TRUE(has(md, "`` "));       // longer fences around a backtick
  for (const auto& [name, text] : documents) EXPECT_EQ(clean(text, text.size()), text) << name;
  EXPECT_TRUE(read_certificate(documents.at("certificate.json")));
}

TEST(Certificate, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(clean("a\xC3\xA9z", 2), "a …");
  EXPECT_EQ(clean("abc", 3), "abc");
  EXPECT_EQ(clean("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(markdown_code("a`b\nc"), "`` a`b c ``");
  EXPECT_EQ(markdown_code(" "), "(empty)");
  EXPECT_EQ(from_hex(to_hex(std::string("\0\x7f\xff", 3))), std::string("\0\x7f\xff", 3));
  EXPECT_EQ(from_hex("0g"), "");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// Values of the smaller case stand beside its files; those of the case itself behind them.
TEST(Certificate, AFailureTellsOfTheCaseInItsFiles) {
  const auto run = test::run(test::mutant("LOW-003-ninstr-up"));
  std::vector<std::size_t> failed;
  for (std::size_t i = 0; i < run.cases.size(); ++i)
    if (run.results[i].outcome == Outcome::fail && run.cases[i].op == Op::lower) failed.push_back(i);
  ASSERT_GE(failed.size(), 2U);
  const std::size_t a = failed[0], b = failed[1];
  const auto of = [&](std::size_t files) {
    return failure_files(run.cases[a], run.answers[a], run.results[a], Smaller{run.cases[files], run.answers[files]}, "",
                         test::small_catalogue())["requirement.txt"];
  };
  const std::string same = of(a), other = of(b);
  EXPECT_FALSE(has(same, "smaller case"));
  const auto cut = other.find("\nThe files here are a smaller case that fails alike. Of the case itself:\n");
  ASSERT_NE(cut, std::string::npos) << other;
  EXPECT_TRUE(other.ends_with(same));
  EXPECT_NE(other.substr(0, cut), same);
}

TEST(Certificate, AFailureIsADirectoryOfItsOwn) {
  const std::string root = std::filesystem::temp_directory_path() / ("assay-certificate-" + std::to_string(::getpid()));
  const auto run = test::run(test::mutant("LOW-003-ninstr-up"));
  for (std::size_t i = 0; i < run.cases.size(); ++i) {
    if (run.results[i].outcome == Outcome::pass) continue;
    bool asked = false;
    const auto shrink = [&](const Case& c, const Result&) -> std::optional<Smaller> {
      asked = true;
      return Smaller{c, run.answers[i]};
    };
    const auto written = write_failure(root, run.cases[i], run.answers[i], run.results[i], shrink,
                                       "assay certify --case X", test::small_catalogue());
    ASSERT_TRUE(written) << written.error();
    EXPECT_TRUE(asked);
    const std::string dir = root + "/failures/" + directory_of_case(run.cases[i].id) + "/";
    for (const char* name : {"request.json", "def.json", "expected-0.kbin", "actual-0.kbin", "expected.json",
                             "actual.json", "fields.txt", "requirement.txt", "replay.txt"}) {
      const auto bytes = harness::read_whole(dir + name);
      ASSERT_TRUE(bytes) << name;
      EXPECT_EQ(sha256_hex(*bytes), written->at(name));
    }
    EXPECT_TRUE(has(*harness::read_whole(dir + "fields.txt"), ".ninstr: expected "));
    EXPECT_TRUE(has(*harness::read_whole(dir + "requirement.txt"), "LOW-003 (must): ninstr is blob bytes"));
    EXPECT_EQ(*harness::read_whole(dir + "replay.txt"), "assay certify --case X\n");
  }
  std::filesystem::remove_all(root);
  EXPECT_EQ(directory_of_case("../x/é").find_first_of("./"), std::string::npos);
  EXPECT_NE(directory_of_case("a/b"), directory_of_case("a-b"));
}

}  // namespace
}  // namespace assay::conformance
