// SPDX-License-Identifier: Apache-2.0
// Forged certificates are caught, each beside the untouched one that is accepted.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "conformance/certificate/failure.h"
#include "conformance/certificate/text.h"
#include "conformance/certificate/verify.h"
#include "conformance/suite/told.h"
#include "conformance/test/small_suite.h"
#include "harness/cases/files.h"

namespace assay::conformance {
namespace {

using harness::ReplyStatus;
using Json = nlohmann::json;
using Files = std::map<std::string, std::string>;

class Verify : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() / ("assay-verify-" + std::to_string(::getpid()));
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  SuiteNow suite() const { return {"1.0", std::string(64, 'a'), test::small_suite()}; }
  Verification check(const Rerun& rerun = {}) const { return verify(root_, suite(), test::small_catalogue(), rerun); }
  void write(const Certificate& c) {
    std::filesystem::remove_all(root_);
    ASSERT_TRUE(write_certificate(root_, c, test::small_catalogue()));
  }
  static Certificate right() { return test::run(harness::oracle_subject()).certificate(); }
  // With its failure directories.
  Certificate wrong() {
    std::filesystem::remove_all(root_);
    const auto run = test::run(test::mutant("LOW-003-ninstr-up"));
    Certificate c = run.certificate({{"LOW-003/ragged", "known", "2027-01-31"}});
    for (std::size_t i = 0; i < run.cases.size(); ++i)
      if (run.results[i].outcome != Outcome::pass)
        for (CaseRow& r : c.cases)
          if (r.id == run.cases[i].id)
            r.files = *write_failure(root_, run.cases[i], run.answers[i], run.results[i], {}, "replay",
                                     test::small_catalogue());
    EXPECT_TRUE(write_certificate(root_, c, test::small_catalogue()));
    return c;
  }
  std::string file(const std::string& name) const { return *harness::read_whole(root_ + "/" + name); }
  void put(const std::string& name, const std::string& bytes) {
    ASSERT_TRUE(harness::write_whole(root_ + "/" + name, bytes));
  }

  // The certificate with one edit of its JSON; all else as it was.
  void expect_caught(const Certificate& c, const std::function<void(Json&)>& edit, std::string_view word) {
    write(c);
    ASSERT_TRUE(check().ok()) << check().problems.front();
    Json j = Json::parse(file("certificate.json"));
    edit(j);
    put("certificate.json", j.dump(1) + "\n");
    expect_problem(word);
  }
  // A more careful forger: everything that can be computed is, and all documents are written anew.
  void expect_caught_anew(const Certificate& c, const std::function<void(Certificate&)>& edit, std::string_view word) {
    write(c);
    ASSERT_TRUE(check().ok()) << check().problems.front();
    Certificate forged = c;
    edit(forged);
    compute(forged, test::small_catalogue());
    write(forged);
    expect_problem(word);
  }
  void expect_problem(std::string_view word, const Rerun& rerun = {}) {
    const Verification v = check(rerun);
    EXPECT_FALSE(v.ok()) << word;
    bool told = false;
    std::string all;
    for (const std::string& p : v.problems) {
      told = told || p.find(word) != std::string::npos;
      all += p + "\n";
    }
    EXPECT_TRUE(told) << word << " in:\n" << all;
  }

  std::string root_;
};

CaseRow& row(Certificate& c, std::string_view id) {
  for (CaseRow& r : c.cases)
    if (r.id == id) return r;
  throw std::runtime_error("no such case");
}
// A failed case made to look passed.
void whitewash(CaseRow& r) {
  r.outcome = Outcome::pass;
  r.violations.clear();
  r.files.clear();
  r.why.clear();
}

TEST_F(Verify, AnUntouchedCertificateIsConsistent) {
  write(right());
  EXPECT_EQ(check().text(), "consistent, not re-run");
  wrong();
  EXPECT_TRUE(check().ok()) << check().problems.front();
  const auto facts = facts_of(root_);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->seed, 42u);
  EXPECT_FALSE(facts_of(root_ + "/none"));
  EXPECT_FALSE(verify(root_ + "/none", suite(), test::small_catalogue(), {}).ok());
}

TEST_F(Verify, EditedNumbersAreCaught) {
  const Certificate c = wrong();
  expect_caught(right(), [](Json& j) { j["counts"]["pass"] = 8; j["counts"]["total"] = 8; }, "counts");
  expect_caught(right(), [](Json& j) { j["counts"]["waived"] = 1; }, "counts");
  expect_caught(right(), [](Json& j) { j["counts"]["pass"] = 8; }, "total");
  expect_caught(right(), [](Json& j) { j["levels"]["L"]["passed"] = 1; }, "level L");
  expect_caught(
      right(),
      [](Json& j) {
        j["requirements"][0]["cases"]["pass"] = 7;
        j["requirements"][0]["cases"]["total"] = 7;
      },
      "requirement DMQ-019: pass by 7 cases, by its cases pass by 1");
  expect_caught(right(), [](Json& j) { j["generated"] = 2000; }, "generated");
  expect_caught(right(), [](Json& j) { j["cut"].push_back({{"op", "lower"}, {"why", "x"}, {"cases", 3}}); }, "cut");
}

TEST_F(Verify, EditedLevelsAndVerdictsAreCaught) {
  const Certificate c = test::run(test::mutant("LOW-003-ninstr-up")).certificate();
  expect_caught(c, [](Json& j) { j["levels"]["L"]["held"] = true; }, "level L");
  expect_caught(c, [](Json& j) { j["held"] = true; }, "held");
  expect_caught(c, [](Json& j) { j["levels"]["N"]["held"] = true; }, "level N");
  expect_caught(right(), [](Json& j) { j["asked"] = "D"; }, "level L");
  const auto edit = [](Json& j, const char* key, const Json& value) {
    for (Json& one : j["cases"])
      if (one["id"] == "LOW-003/ragged") one[key] = value;
  };
  expect_caught(c, [&](Json& j) { edit(j, "outcome", "pass"); }, "LOW-003/ragged");
  expect_caught(c, [&](Json& j) { edit(j, "waived", true); }, "waived");
  expect_caught(c, [&](Json& j) { edit(j, "violations", Json::array()); }, "LOW-003/ragged");
  expect_caught(c, [&](Json& j) { edit(j, "answered", "refused"); edit(j, "outcome", "pass"); }, "LOW-003/ragged");
  const Json told = Json::parse(certificate_json(c));
  for (const Json& r : told["requirements"])
    if (r["id"] == "LOW-003") { EXPECT_EQ(r["verdict"], "fail"); }
  expect_caught(
      c,
      [](Json& j) {
        for (Json& r : j["requirements"])
          if (r["id"] == "LOW-003") r["verdict"] = "pass";
      },
      "requirement LOW-003");
}

TEST_F(Verify, AnotherSuiteIsCaught) {
  expect_caught(right(), [](Json& j) { j["suite"]["hash"] = std::string(64, 'b'); }, "suite hash");
  expect_caught(right(), [](Json& j) { j["suite"]["version"] = "0.9"; }, "suite version");
  // Even where everything else follows.
  expect_caught_anew(right(), [](Certificate& c) { c.run.suite_hash[0] = 'b'; }, "suite hash");
}

TEST_F(Verify, CasesThatAreMissingOrMoreOrOtherAreCaught) {
  expect_caught_anew(right(), [](Certificate& c) { c.cases.pop_back(); }, "is missing");
  expect_caught_anew(right(), [](Certificate& c) { c.cases.push_back(c.cases.back()); }, "stands twice");
  expect_caught_anew(
      right(),
      [](Certificate& c) {
        c.cases.push_back(c.cases.back());
        c.cases.back().id = "ZZZ-001/x";
      },
      "is not of the suite");
  expect_caught_anew(right(), [](Certificate& c) { std::swap(c.cases[0], c.cases[1]); }, "out of order");
  expect_caught_anew(
      right(), [](Certificate& c) { row(c, "LOW-003/ragged").requirements = {"LOW-012"}; },
      "is another one in the suite");
  expect_caught_anew(
      right(), [](Certificate& c) { row(c, "LOW-003/ragged").op = Op::decode; }, "is another one in the suite");
}

TEST_F(Verify, VerdictsThatNoRunComesToAreCaught) {
  const auto silent = test::run([](const Case& c) -> Answered {
    if (c.op == Op::dtype) return tl::unexpected<std::string>("timeout");
    if (c.op == Op::decode) { Answer a; a.status = ReplyStatus::refused; return a; }
    if (c.expect != ReplyStatus::ok) {
      Answer a;
      a.status = ReplyStatus::ok;
      a.body = test::small_suite()[2].answer;
      return a;
    }
    return test::ask(test::mutant("LOW-003-ninstr-up"), c);
  });
  const Certificate c = silent.certificate();
  expect_caught_anew(c, [](Certificate& f) { whitewash(row(f, "DT-002/known")); }, "without an answer");
  expect_caught_anew(c, [](Certificate& f) { whitewash(row(f, "LAY-003/engine")); }, "ended otherwise");
  expect_caught_anew(c, [](Certificate& f) { whitewash(row(f, "IMG-007/wrong")); }, "twin or pair makes it unproven");
  expect_caught_anew(c, [](Certificate& f) {
    CaseRow& r = row(f, "DT-002/known");
    whitewash(r);
    r.answered = ReplyStatus::ok;
    r.sha256 = std::string(64, '0');
  }, "not the right answer's");
  expect_caught_anew(c, [](Certificate& f) { row(f, "DT-002/known").why.clear(); }, "without a reason");
  expect_caught_anew(c, [](Certificate& f) { row(f, "LOW-003/ragged").sha256.clear(); }, "no digest");
  expect_caught_anew(c, [](Certificate& f) { row(f, "LOW-003/ragged").sha256 = "f00"; }, "a digest that is none");
  expect_caught_anew(
      c, [](Certificate& f) { row(f, "LOW-003/ragged").outcome = Outcome::unsupported; }, "though it was answered");
  expect_caught_anew(c, [](Certificate& f) {
    for (Shown& s : row(f, "LOW-003/ragged").violations) s.violation.requirement = "DMQ-019";
  }, "by a row that is no must");
  expect_caught_anew(right(), [](Certificate& f) { f.run.implementation.ops = {Op::dtype}; }, "does not list");
  expect_caught_anew(right(), [](Certificate& f) { f.run.date = "yesterday"; }, "date");
  expect_caught_anew(right(), [](Certificate& f) { f.run.date = "2999-12-31"; }, "yet to come");
  expect_caught_anew(right(), [](Certificate& f) { f.run.asked = "DX"; }, "no level X");
  expect_caught_anew(right(), [](Certificate& f) { f.run.order = {}; }, "no case was asked again");
}

TEST_F(Verify, OnlyARowBelowMustExcusesAnotherEnd) {
  const auto ended_otherwise = [](std::string_view by) {
    Certificate c = right();
    CaseRow& r = row(c, "LOW-003/ragged");
    r.answered = ReplyStatus::refused;
    r.reported = {{std::string(by), "answer", "ok", "refused", {}}};
    compute(c, test::small_catalogue());
    return c;
  };
  write(ended_otherwise("LOW-003"));
  expect_problem("ended otherwise than expected");
  write(ended_otherwise("DMQ-019"));
  for (const std::string& p : check().problems) EXPECT_EQ(p.find("ended otherwise"), std::string::npos) << p;
}

TEST_F(Verify, WhatALevelIsCalledAndWhyIsComputed) {
  for (const char* key : {"why", "title"})
    expect_caught(right(), [key](Json& j) { j["levels"]["R"][key] = "held (see annex B)"; }, "level R");
}

TEST_F(Verify, WhoIsAskedAgainIsWhoWasCertified) {
  write(right());
  Rerun rerun = {[](const Case& c) { return test::ask(harness::oracle_subject(), c); }, 5, 1};
  rerun.asked = right().run.implementation;
  EXPECT_EQ(check(rerun).text(), "consistent, 5 cases re-run");
  rerun.asked->version = "2";
  expect_problem("the certificate's is test 1, asked was test 2", rerun);
  rerun.asked = right().run.implementation;
  rerun.asked->ops.pop_back();
  expect_problem("other ops", rerun);
}

TEST_F(Verify, WhatIsNoFileIsNotRead) {
  for (const char* name : {"certificate.json", "report.html"}) {
    write(right());
    std::filesystem::remove(root_ + "/" + name);
    ASSERT_EQ(::mkfifo((root_ + "/" + name).c_str(), 0600), 0);
    expect_problem("no regular file");
    std::filesystem::remove(root_ + "/" + name);
    std::filesystem::create_symlink("/dev/zero", root_ + "/" + name);
    expect_problem("no regular file");
    std::filesystem::remove(root_ + "/" + name);
  }
  std::filesystem::remove(root_ + "/certificate.json");
  ASSERT_EQ(::mkfifo((root_ + "/certificate.json").c_str(), 0600), 0);
  EXPECT_FALSE(facts_of(root_));
}

TEST_F(Verify, EditedDocumentsAreCaught) {
  for (const char* name : {"certificate.md", "junit.xml", "report.html", "certificate.json"}) {
    write(right());
    ASSERT_TRUE(check().ok());
    const std::string text = file(name);
    put(name, text + "\n");
    expect_problem(name);
    put(name, text.substr(0, text.size() / 2));
    expect_problem(name);
    ::unlink((root_ + "/" + name).c_str());
    expect_problem(name);
  }
  write(wrong());
  put("report.html", file("report.html").replace(file("report.html").find("not held"), 8, "held    "));
  expect_problem("report.html");
}

TEST_F(Verify, EditedFailureDirectoriesAreCaught) {
  const auto directory = "failures/" + directory_of_case("LOW-003/ragged");
  wrong();
  ASSERT_TRUE(check().ok()) << check().problems.front();
  put(directory + "/fields.txt", "nothing differs\n");
  expect_problem("fields.txt");
  wrong();
  ::unlink((root_ + "/" + directory + "/replay.txt").c_str());
  expect_problem("replay.txt");
  wrong();
  std::filesystem::create_directories(root_ + "/failures/other");
  expect_problem("failures/other: of no case");
  Certificate c = wrong();
  row(c, "LOW-003/ragged").files["../../certificate.md"] = sha256_hex(file("certificate.md"));
  ASSERT_TRUE(write_certificate(root_, c, test::small_catalogue()));
  expect_problem("no name of a file");
}

TEST_F(Verify, ASampleAskedAgainMustAnswerTheSame) {
  const Rerun honest = {[](const Case& c) { return test::ask(harness::oracle_subject(), c); }, 5, 1};
  write(right());
  EXPECT_EQ(check(honest).text(), "consistent, 5 cases re-run");
  const Rerun all = {honest.ask, 1000, 1};
  EXPECT_EQ(check(all).rerun, test::small_suite().size());
  // Whitewashed through and through: nothing but asking again shows it.
  const auto failed = test::run(test::mutant("LOW-003-ninstr-up"));
  Certificate forged = failed.certificate();
  whitewash(row(forged, "LOW-003/ragged"));
  compute(forged, test::small_catalogue());
  write(forged);
  EXPECT_EQ(check().text(), "consistent, not re-run");
  expect_problem("LOW-003/ragged: pass, judged again fail",
                 {[](const Case& c) { return test::ask(test::mutant("LOW-003-ninstr-up"), c); }, 1000, 1});
  expect_problem("the answer is another one", all);
  // Another implementation than the certificate's.
  write(right());
  expect_problem("the answer is another one",
                 {[](const Case& c) { return test::ask(test::mutant("LOW-003-ninstr-up"), c); }, 1000, 1});
  expect_problem("the answer is another one (timeout)",
                 {[](const Case&) -> Answered { return tl::unexpected<std::string>("timeout"); }, 3, 9});
}

TEST_F(Verify, ASampleIsOfAnswersBeforeWhatIsUnsupported) {
  Answer none;
  none.status = ReplyStatus::unsupported;
  const auto dtype_alone = [&](const Case& c) -> Answered {
    return c.op == Op::dtype ? test::ask(harness::oracle_subject(), c) : none;
  };
  write(test::run(dtype_alone).certificate());
  EXPECT_EQ(check({dtype_alone, 3, 1}).text(), "consistent, 3 cases re-run");
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    expect_problem("the answer is another one (unsupported)", {[&](const Case&) -> Answered { return none; }, 1, seed});
}

}  // namespace
}  // namespace assay::conformance
