// SPDX-License-Identifier: Apache-2.0
// Verdicts on single answers: what decides, what is only reported, and what is no answer.
#include <gtest/gtest.h>

#include "conformance/certificate/failure.h"
#include "conformance/certificate/judge.h"
#include "conformance/test/small_suite.h"
#include "harness/choice/choices.h"
#include "harness/gen/gen.h"
#include "oracle/image/dump.h"
#include "oracle/image/image.h"

namespace assay::conformance {
namespace {

using harness::RandomChoices;
using harness::ReplyStatus;
using test::rows_of;

Result judged(const Case& c, Answered a) { return judge(c, a, test::whole_catalogue()); }

Answer ok_with(std::string body) {
  Answer a;
  a.status = ReplyStatus::ok;
  a.body = std::move(body);
  return a;
}
Answer ended(ReplyStatus status, std::optional<std::uint32_t> code = {}) {
  Answer a;
  a.status = status;
  a.code = code;
  return a;
}
const Case& named(std::string_view id) {
  for (const Case& c : test::small_suite())
    if (c.id == id) return c;
  throw std::runtime_error("no such case");
}
const Case& refusing() {
  for (const Case& c : test::small_suite())
    if (c.op == Op::lower && c.expect != ReplyStatus::ok) return c;
  throw std::runtime_error("no such case");
}
// A case of lower whose expected image went through `edit`, answered with the oracle's, and the other way round.
template <class Edit>
Result after(const Case& c, Edit edit) {
  const auto image = image_of(c.answer);
  auto tree = to_tree(*decode(image->view()));
  edit(*tree);
  return judged(c, ok_with(body_of_image(encode(*tree)->view())));
}
Case plain_lower() { return named("LOW-012/name"); }
// A plain model with descriptors, which the should and info rows of queues show.
Case with_queues() {
  for (std::uint64_t seed = 1;; ++seed) {
    RandomChoices c(seed);
    Case made = test::lower_case("queues", {"DMQ-001"}, harness::gen_model(c));
    const auto tree = to_tree(*decode(image_of(made.answer)->view()));
    const kbin_dma_t* q = tree->root().dma[0];
    if (q != nullptr && tree->root().dma[1] != nullptr && q->ring_instance_count > 0 &&
        instances_of(const_cast<kbin_dma_t*>(q))[0]->ndesc > 1)
      return made;
  }
}

TEST(Judge, TheOraclePassesEveryCase) {
  for (const Case& c : test::small_suite()) {
    const Result r = judged(c, test::ask(harness::oracle_subject(), c));
    EXPECT_EQ(r.outcome, Outcome::pass) << c.id << " " << r.why << " " << rows_of(r.violations);
    EXPECT_EQ(r.answer_sha256.size(), 64u);
    EXPECT_EQ(r.answered, c.expect);
  }
  ASSERT_GE(test::small_suite().size(), 9u);
}

TEST(Judge, AWrongNinstrNamesItsRowAndTheImageRow) {
  const Case& c = named("LOW-003/ragged");
  const Answered a = test::ask(test::mutant("LOW-003-ninstr-up"), c);
  const Result r = judged(c, a);
  EXPECT_EQ(r.outcome, Outcome::fail);
  EXPECT_EQ(rows_of(r.violations), "LOW-003 IMG-022");
  const auto shown = show(c, a, r.violations);
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_NE(shown[0].violation.place.find(".ninstr"), std::string::npos);
  ASSERT_TRUE(shown[0].expected && shown[0].actual);
  EXPECT_EQ(shown[0].expected->length, 4u);
  const auto value = [](const Window& w) {
    return load<std::uint32_t>(as_bytes(w.bytes).data() + (w.field - w.begin));
  };
  EXPECT_EQ(value(*shown[0].expected) + 1, value(*shown[0].actual));
  EXPECT_EQ(std::to_string(value(*shown[0].actual)), shown[0].violation.actual);
}

TEST(Judge, RefusedAndTrappedAreOneVerdictUnlessTheCaseSaysOtherwise) {
  Case c = refusing();
  c.expect = ReplyStatus::refused;
  c.code = 2;
  EXPECT_EQ(judged(c, ended(ReplyStatus::refused, 2)).outcome, Outcome::pass);
  EXPECT_TRUE(judged(c, ended(ReplyStatus::refused)).reported.empty());
  EXPECT_EQ(judged(c, ended(ReplyStatus::trapped)).outcome, Outcome::pass);
  EXPECT_EQ(judged(c, ended(ReplyStatus::trapped)).reported.size(), 1u);
  EXPECT_EQ(judged(c, ended(ReplyStatus::refused, 4)).reported.size(), 1u);
  c.status_counts = true;
  EXPECT_EQ(judged(c, ended(ReplyStatus::refused, 2)).outcome, Outcome::pass);
  EXPECT_EQ(judged(c, ended(ReplyStatus::trapped, 2)).outcome, Outcome::fail);
  EXPECT_EQ(judged(c, ended(ReplyStatus::refused, 4)).outcome, Outcome::fail);
  EXPECT_EQ(judged(c, ended(ReplyStatus::refused)).outcome, Outcome::fail);
}

TEST(Judge, TheReasonIsNeverCompared) {
  Case c = refusing();
  Answer a = ended(ReplyStatus::refused), b = a;
  b.reason = "because";
  b.at = "somewhere";
  EXPECT_EQ(judged(c, a).answer_sha256, judged(c, b).answer_sha256);
  EXPECT_EQ(judged(c, b).outcome, Outcome::pass);
}

TEST(Judge, AcceptingWhatMustBeRefusedFails) {
  const Result r = judged(refusing(), ok_with(plain_lower().answer));
  EXPECT_EQ(r.outcome, Outcome::fail);
  EXPECT_EQ(rows_of(r.violations), refusing().requirements.front());
  EXPECT_EQ(judged(plain_lower(), ended(ReplyStatus::refused)).outcome, Outcome::fail);
}

TEST(Judge, WhatIsNoAnswerIsAnError) {
  const Case c = plain_lower();
  EXPECT_EQ(judged(c, tl::unexpected<std::string>("timeout")).outcome, Outcome::error);
  EXPECT_EQ(judged(c, tl::unexpected<std::string>("timeout")).why, "timeout");
  EXPECT_FALSE(judged(c, tl::unexpected<std::string>("timeout")).answered);
  for (const char* body : {"", "{}", "[", "{\"image\":3}", "{\"image\":\"!\"}", "\"\\u0000\""})
    EXPECT_EQ(judged(c, ok_with(body)).outcome, Outcome::error) << body;
  EXPECT_EQ(judged(named("DT-002/known"), ok_with("{\"match\":[2]}")).outcome, Outcome::error);
  EXPECT_EQ(judged(named("LAY-003/engine"), ok_with("{}")).outcome, Outcome::error);
  EXPECT_EQ(judged(c, ended(ReplyStatus::error)).outcome, Outcome::error);
  EXPECT_EQ(judged(c, ended(ReplyStatus::unspecified)).outcome, Outcome::error);
  EXPECT_EQ(judged(c, ended(ReplyStatus::unsupported)).outcome, Outcome::unsupported);
  EXPECT_EQ(judged(refusing(), ended(ReplyStatus::unsupported)).outcome, Outcome::unsupported);
}

TEST(Judge, AValueThatCannotBeReadFails) {
  Answer a = ok_with("");
  a.problem = "dma[0]: 8 bytes beyond its allocation";
  EXPECT_EQ(judged(plain_lower(), a).outcome, Outcome::fail);
  EXPECT_EQ(judged(refusing(), a).outcome, Outcome::fail);
  Case should = plain_lower();
  should.requirements = {"LOW-008"};
  EXPECT_EQ(judged(should, a).outcome, Outcome::fail);
}

TEST(Judge, ShouldAndInfoRowsAreReported) {
  const Case c = with_queues();
  const Result flags = after(c, [](Tree& t) { t.root().dma[0]->flags ^= 1; });
  EXPECT_EQ(flags.outcome, Outcome::pass);
  EXPECT_EQ(rows_of(flags.reported), "DMQ-019");
  Case should = refusing();
  should.requirements = {"LOW-008"};
  const Result r = judged(should, ok_with(plain_lower().answer));
  EXPECT_EQ(r.outcome, Outcome::pass);
  EXPECT_EQ(rows_of(r.reported), "LOW-008");
}

TEST(Judge, ACaseThatRestsOnAShouldRowDecidesNothing) {
  Case c = with_queues();
  const auto name = [](Tree& t) { t.root().dma[0]->owner ^= 1; };
  EXPECT_EQ(rows_of(after(c, name).violations), "DMQ-003");
  Answer unreadable = ok_with("");
  unreadable.problem = "no image";
  c.flags = {"should"};
  const Result r = after(c, name);
  EXPECT_EQ(r.outcome, Outcome::pass);  // which has no violations
  EXPECT_EQ(rows_of(r.reported), "DMQ-003");
  EXPECT_EQ(judged(c, unreadable).outcome, Outcome::fail);
  Answer refused;
  refused.status = ReplyStatus::refused;
  EXPECT_EQ(judged(c, refused).outcome, Outcome::pass);
}

TEST(Judge, APathOfMediumEvidenceDecidesNothingAndHidesNothing) {
  const Case c = with_queues();
  const auto step = [](Tree& t) { desc_of(instances_of(t.root().dma[0])[0])[0].u.to.steps[0] += 1; };
  const Result alone = after(c, step);
  EXPECT_EQ(alone.outcome, Outcome::pass) << rows_of(alone.violations);
  EXPECT_FALSE(alone.reported.empty());
  const Result both = after(c, [&](Tree& t) {
    step(t);
    t.root().dma[0]->queue_set_cnt += 1;
  });
  EXPECT_EQ(rows_of(both.violations), "DMQ-008");
}

TEST(Judge, AnIgnoredPathIsReportedByItsRowAndHidesNoOtherOfTheSame) {
  Case c = with_queues();
  c.ignore = {{"dma[0].queue_set_cnt", "DMQ-009"}};
  const Result one = after(c, [](Tree& t) { t.root().dma[0]->queue_set_cnt += 1; });
  EXPECT_EQ(one.outcome, Outcome::pass);
  EXPECT_EQ(rows_of(one.reported), "DMQ-009");
  const Result two = after(c, [](Tree& t) {
    t.root().dma[0]->queue_set_cnt += 1;
    t.root().dma[1]->queue_set_cnt += 1;
  });
  ASSERT_EQ(rows_of(two.violations), "DMQ-008");
  EXPECT_EQ(two.violations.front().place, "dma[1].queue_set_cnt");
}

TEST(Judge, AnIgnoredNameOfAnotherLengthHidesNoOther) {
  Case c = with_queues();
  const auto rename = [](Tree& t, std::size_t queue, const char* name) {
    char* to = instances_of(t.root().dma[queue])[0]->name;
    std::fill_n(to, 256, '\0');
    std::copy_n(name, std::char_traits<char>::length(name), to);
  };
  c.ignore = {{"dma[0].ring_instances[0].name", "DMQ-021"}};
  EXPECT_EQ(after(c, [&](Tree& t) { rename(t, 0, "other"); }).outcome, Outcome::pass);
  EXPECT_EQ(after(c, [&](Tree& t) {
              rename(t, 0, "other");
              rename(t, 1, "another");
            }).outcome,
            Outcome::fail);
}

TEST(Judge, ADamagedImageFailsItsImageRowAndTheLowering) {
  const Case c = plain_lower();
  const auto image = image_of(c.answer);
  Buffer bad(image->view());
  bad.data()[image::kCrcAt] ^= 1;
  EXPECT_EQ(rows_of(judged(c, ok_with(body_of_image(bad.view()))).violations), "IMG-007 IMG-001");
  const Result cut = judged(c, ok_with(body_of_image(image->view().first(100))));
  EXPECT_EQ(cut.outcome, Outcome::fail);
  EXPECT_NE(rows_of(cut.violations).find("IMG-004"), std::string::npos);
  EXPECT_EQ(judged(c, ok_with(body_of_image({}))).outcome, Outcome::fail);
}

TEST(Judge, FieldsBesideAnImageMustBeItsOwn) {
  const Case c = plain_lower();
  const auto image = image_of(c.answer);
  const std::string own = fields_json(*decode(image->view()));
  const auto with = [&](const std::string& fields) {
    std::string body = c.answer;
    body.insert(1, "\"fields\":" + fields + ",");
    return judged(c, ok_with(body));
  };
  EXPECT_EQ(with(own).outcome, Outcome::pass);
  std::string other = own;
  const auto at = other.find("\"target\":") + 9;
  other[at] = other[at] == '3' ? '4' : '3';
  EXPECT_EQ(rows_of(with(other).violations), "LAY-002");
}

TEST(Judge, FieldsOfMediumEvidenceAreReported) {
  for (std::uint64_t seed = 1;; ++seed) {
    RandomChoices choices(seed);
    const Buffer image = harness::gen_image(choices);
    const Case c = test::decode_case("fields", {"LAY-006"}, image.view());
    const auto at = c.answer.find(".steps[0]\":");
    if (at == std::string::npos) continue;
    const auto value = c.answer.find_first_of("0123456789-", at + 10);
    std::string steps = c.answer;
    steps.insert(value, steps[value] == '-' ? "" : "1");
    if (steps == c.answer || c.answer[value - 1] == '"') continue;
    const Result r = judged(c, ok_with(steps));
    EXPECT_EQ(r.outcome, Outcome::pass) << rows_of(r.violations) << r.why;
    EXPECT_EQ(rows_of(r.reported), "LAY-006");
    // The same row beside it, on a path of high evidence.
    const auto idx = steps.find(".idx\":");
    steps.insert(idx + 6, steps[idx + 6] == '0' ? "" : "1");
    if (steps[idx + 6] == '0') steps[idx + 6] = '7';
    EXPECT_EQ(rows_of(judged(c, ok_with(steps)).violations), "LAY-006");
    return;
  }
}

TEST(Judge, FilesAreComparedByTensorsAndImages) {
  RandomChoices choices(3);
  Case c = test::lower_neff_case("file", {"IO-002"}, harness::gen_model(choices));
  ASSERT_EQ(c.expect, ReplyStatus::ok);
  auto answer = lower_neff_of(c.answer);
  EXPECT_EQ(judged(c, ok_with(body_of(*answer))).outcome, Outcome::pass);
  auto more = lower_neff_of(c.answer);
  more->images.emplace_back(std::string_view("no image"));
  EXPECT_EQ(rows_of(judged(c, ok_with(body_of(*more))).violations), "CON-021");
  auto tree = to_tree(*decode(answer->images.back().view()));
  tree->root().engine[0]->name[0] = 'q';
  answer->images.back() = std::move(*encode(*tree));
  const Result r = judged(c, ok_with(body_of(*answer)));
  ASSERT_EQ(rows_of(r.violations), "LOW-012");
  EXPECT_EQ(r.violations.front().place, "images[" + std::to_string(answer->images.size() - 1) + "].engine[0].name");
  EXPECT_TRUE(show(c, ok_with(body_of(*answer)), r.violations).front().actual);
}

TEST(Judge, AnIgnoredTensorHidesNoOther) {
  Case c;
  harness::LowerNeffAnswer right;
  right.io.outputs = {{"a", NrtDtype::INT8, {2}, 2}, {"b", NrtDtype::INT8, {3}, 3}};
  c.id = "io";
  c.op = Op::lower_neff;
  c.requirements = {"DT-004"};
  c.answer = body_of(right);
  c.ignore = {{"outputs[0].size", "DT-005"}};
  auto wrong = std::move(right);
  wrong.io.outputs[0].size = 9;
  const Result one = judged(c, ok_with(body_of(wrong)));
  EXPECT_EQ(one.outcome, Outcome::pass);
  EXPECT_EQ(rows_of(one.reported), "DT-005");
  wrong.io.outputs[1].size = 9;
  EXPECT_EQ(rows_of(judged(c, ok_with(body_of(wrong))).violations), "DT-004");
}

TEST(Judge, OrderIsTheRowOfAnOrderWhateverIsIgnored) {
  Case c = with_queues();
  c.ignore = {{"dma[*].ring_instances[*].desc[*].u.*.dtype", "DMB-031"}};
  EXPECT_EQ(rows_of(after(c, [](Tree& t) {
              kbin_dma_desc_t* d = desc_of(instances_of(t.root().dma[0])[0]);
              std::swap(d[0], d[1]);
            }).violations),
            "DMB-007");
}

TEST(Judge, ASecondAnswerMustBeTheFirst) {
  const Case c = plain_lower();
  const Result first = judged(c, ok_with(c.answer));
  Result r = first;
  judge_again(c, ok_with(c.answer), test::whole_catalogue(), r);
  EXPECT_EQ(r.outcome, Outcome::pass);
  judge_again(c, tl::unexpected<std::string>("timeout"), test::whole_catalogue(), r);
  EXPECT_EQ(r.outcome, Outcome::error);
  EXPECT_EQ(r.why, "asked again: timeout");
  r = first;
  judge_again(c, ended(ReplyStatus::refused), test::whole_catalogue(), r);
  EXPECT_EQ(r.outcome, Outcome::fail);
  EXPECT_EQ(rows_of(r.violations), "LOW-011");
  r = judged(named("DT-002/known"), ok_with(named("DT-002/known").answer));
  judge_again(named("DT-002/known"), ok_with(named("DT-003/unknown").answer), test::whole_catalogue(), r);
  EXPECT_EQ(rows_of(r.violations), "DT-002");
}

TEST(Judge, NoImageBreaksIt) {
  const Case c = with_queues();
  const auto image = image_of(c.answer);
  RandomChoices choices(5);
  std::size_t failed = 0;
  for (int i = 0; i < 160; ++i) {
    Buffer bad(image->view().first(i % 8 == 0 ? choices.below(image->size()) : image->size()));
    for (std::uint64_t n = choices.below(6) + (i % 8 != 0); n > 0 && !bad.empty(); --n)
      bad.data()[choices.below(bad.size())] = static_cast<std::uint8_t>(choices.below(256));
    if (i % 2 == 0 && bad.size() > image::kHeaderSize)
      store(bad.data() + image::kCrcAt, crc32_of(bad.view().subspan(image::kHeaderSize)));
    const Answer a = ok_with(body_of_image(bad.view()));
    const Result r = judged(c, a);
    EXPECT_TRUE(r.outcome == Outcome::fail || r.outcome == Outcome::pass) << r.why;
    failed += r.outcome == Outcome::fail;
    EXPECT_EQ(show(c, a, r.violations).size(), r.violations.size());
    EXPECT_FALSE(failure_files(c, a, r, {}, "replay", test::whole_catalogue()).empty());
  }
  EXPECT_GT(failed, 130u);
}

TEST(Settle, ARefusalIsProvenByItsTwin) {
  const auto refuses = test::run([](const Case&) -> Answered { return ended(ReplyStatus::refused); });
  for (std::size_t i = 0; i < refuses.cases.size(); ++i)
    EXPECT_EQ(refuses.results[i].outcome,
              refuses.cases[i].expect == ReplyStatus::ok ? Outcome::fail : Outcome::unproven);
  // A twin that is accepted and answered wrongly is accepted.
  const auto wrong = test::run([](const Case& c) {
    return c.expect == ReplyStatus::ok && c.op == Op::lower ? Answered(ok_with(plain_lower().answer))
                                                            : test::ask(harness::oracle_subject(), c);
  });
  for (std::size_t i = 0; i < wrong.cases.size(); ++i)
    if (wrong.cases[i].expect != ReplyStatus::ok) { EXPECT_EQ(wrong.results[i].outcome, Outcome::pass); }
  // Without its twin, or with one that has no answer, it is unproven.
  std::vector<Case> alone = {refusing()};
  EXPECT_EQ(test::run([](const Case& c) { return test::ask(harness::oracle_subject(), c); }, alone).results[0].outcome,
            Outcome::unproven);
  alone[0].twin.clear();
  EXPECT_EQ(test::run([](const Case& c) { return test::ask(harness::oracle_subject(), c); }, alone).results[0].outcome,
            Outcome::unproven);
}

TEST(Settle, APairIsProvenByTwoAnswersThatDiffer) {
  std::vector<Case> pair = {named("DT-002/known"), named("DT-002/known")};
  pair[1].id = "DT-002/other";
  pair[1].differs_from = pair[0].id;
  const auto ask = [](const Case& c) { return test::ask(harness::oracle_subject(), c); };
  const auto alike = test::run(ask, pair);
  EXPECT_EQ(alike.results[0].outcome, Outcome::pass);
  EXPECT_EQ(alike.results[1].outcome, Outcome::unproven);
  pair[0] = named("DT-003/unknown");
  pair[0].id = "DT-002/known";
  pair[0].differs_from.clear();
  EXPECT_EQ(test::run(ask, pair).results[1].outcome, Outcome::pass);
  const auto silent = test::run([&](const Case& c) -> Answered {
    if (c.differs_from.empty()) return tl::unexpected<std::string>("timeout");
    return ask(c);
  }, pair);
  EXPECT_EQ(silent.results[1].outcome, Outcome::unproven);
}

}  // namespace
}  // namespace assay::conformance
