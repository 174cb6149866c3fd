// SPDX-License-Identifier: Apache-2.0
// Mutants of models: how many of them lower, that every key is changed, that sizes hold, and that
// the same choices make the same mutant.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/gen/gen.h"
#include "harness/mutate/model_bytes.h"
#include "harness/mutate/model_mutator.h"
#include "harness/mutate/models/key_rules.h"
#include "oracle/manifest/keys.h"

namespace assay::harness {
namespace {

using mutating::Object;
using mutating::Places;

struct Row {
  std::string_view object;
  std::span<const std::string_view> keys;
};
const Row kKeyTable[] = {
#define KEYS_BEGIN(object) {#object, ::assay::k##object##Keys},
#define KEY(object, key)
#define KEYS_END(object)
#include "oracle/manifest/keys.def"
#undef KEYS_BEGIN
#undef KEY
#undef KEYS_END
};

TEST(MutateModel, HasARuleForEveryKeyInItsOrder) {
  ASSERT_EQ(std::size(kKeyTable), static_cast<std::size_t>(Object::Profile));
  std::size_t i = 0;
  for (std::size_t object = 0; object < std::size(kKeyTable); ++object) {
    const auto rules = mutating::rules_of(static_cast<Object>(object));
    ASSERT_EQ(rules.size(), kKeyTable[object].keys.size()) << kKeyTable[object].object;
    for (std::size_t k = 0; k < rules.size(); ++k, ++i) {
      EXPECT_EQ(rules[k].key, kKeyTable[object].keys[k]) << kKeyTable[object].object;
      EXPECT_EQ(rules.data() + k, &mutating::key_rules()[i]);
    }
  }
  EXPECT_EQ(i, mutating::key_rules().size());
}

// The share of models that still lower after so many edits.
TEST(MutateModel, LeavesMostModelsValid) {
  constexpr int kModels = 400;
  std::map<int, int> lowers;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    RandomChoices c(seed);
    Model model = gen_model(c);
    for (int step = 1; step <= 20; ++step) {
      mutate(c, model, 8192);
      if (step == 1 || step == 5 || step == 20) lowers[step] += lower_model(model).has_value();
    }
  }
  for (const auto& [step, n] : lowers) std::printf("after %2d edits %.1f %% lower\n", step, 100.0 * n / kModels);
  EXPECT_GE(lowers[1], kModels * 80 / 100);
  EXPECT_LT(lowers[1], kModels * 98 / 100);  // and some are broken
  EXPECT_GE(lowers[5], kModels * 45 / 100);
  EXPECT_GE(lowers[20], kModels * 5 / 100);
}

TEST(MutateModel, LeavesMostCrossesValid) {
  constexpr int kModels = 300;
  int lowers = 0, changed = 0;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    RandomChoices c(seed);
    Model model = gen_model(c);
    const Model other = gen_model(c);
    const std::string theirs = to_bytes(other);
    changed += cross_over(c, model, other);
    lowers += lower_model(model).has_value();
    ASSERT_EQ(to_bytes(other), theirs);
  }
  std::printf("%.1f %% of crosses lower\n", 100.0 * lowers / kModels);
  EXPECT_GE(changed, kModels * 95 / 100);
  EXPECT_GE(lowers, kModels * 75 / 100);
}

// What a model holds under each key of each kind of object.
using Held = std::map<std::pair<Object, std::string>, std::multiset<std::string>>;
Held held_in(Model& model) {
  Held out;
  const Places places(model);
  for (const mutating::Place& p : places.all)
    for (auto it = p.value->begin(); it != p.value->end(); ++it) out[{p.object, it.key()}].insert(it->dump());
  return out;
}

TEST(MutateModel, ChangesEveryKey) {
  std::set<std::pair<Object, std::string>> changed;
  const std::size_t fields = record(RecordId::kbin_act_profile_data_t).fields.size();
  const auto missing = [&] {
    std::string out;
    for (const mutating::KeyRule& r : mutating::key_rules())
      if (changed.count({r.object, std::string(r.key)}) == 0)
        out += std::string(kKeyTable[static_cast<std::size_t>(r.object)].object) + "." + std::string(r.key) + " ";
    return out;
  };
  std::size_t edits = 0;
  for (std::uint64_t seed = 0; seed < 1500 && (edits < 3000 || !missing().empty()); ++seed) {
    RandomChoices c(seed);
    Model model = gen_model(c);
    Held before = held_in(model);
    for (int step = 0; step < 10; ++step, ++edits) {
      mutate(c, model, 1 << 16);
      Held after = held_in(model);
      for (const auto& [key, values] : before)
        if (const auto it = after.find(key); it == after.end() || it->second != values) changed.insert(key);
      for (const auto& [key, values] : after)
        if (before.count(key) == 0) changed.insert(key);
      before = std::move(after);
    }
  }
  EXPECT_EQ(missing(), "");
  std::printf("every key changed within %zu edits\n", edits);
  std::size_t profile = 0;
  for (const Field& f : record(RecordId::kbin_act_profile_data_t).fields)
    profile += changed.count({Object::Profile, std::string(mutating::profile_key(f.name))});
  EXPECT_EQ(profile, fields);
}

TEST(MutateModel, KeepsWithinItsSize) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomChoices c(seed);
    Model model = gen_model(c);
    const Model other = gen_model(c);
    const std::size_t most = 1 + c.below(6000);
    for (int step = 0; step < 20; ++step) {
      if (c.chance(80)) mutate(c, model, most);
      else cross_over(c, model, other, most);
      ASSERT_LE(size_of(model), most) << seed << " " << step;
      ASSERT_GE(size_of(model), 1u);
      ASSERT_EQ(size_of(model), to_bytes(model).size()) << seed << " " << step;
    }
  }
}

TEST(MutateModel, DoesTheSameByTheSameChoices) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomChoices c(seed);
    const Model model = gen_model(c), other = gen_model(c);
    Model a = model, b = model;
    RandomChoices ca(seed), cb(seed);
    for (int step = 0; step < 5; ++step) {
      mutate(ca, a, 4096);
      mutate(cb, b, 4096);
      cross_over(ca, a, other, 4096);
      cross_over(cb, b, other, 4096);
      smaller(ca, a);
      smaller(cb, b);
    }
    EXPECT_EQ(to_bytes(a), to_bytes(b));
    EXPECT_NE(to_bytes(a), to_bytes(model));
  }
}

TEST(MutateModel, SaysFalseWhereNothingChanged) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomChoices c(seed);
    Model model = gen_model(c);
    for (int step = 0; step < 10; ++step) {
      const std::string before = to_bytes(model);
      if (!mutate(c, model)) {
        EXPECT_EQ(to_bytes(model), before);
      }
    }
  }
}

TEST(MutateModel, ComesToAnEndWithoutChoices) {
  for (std::uint8_t byte = 0; byte < 40; ++byte) {
    RandomChoices c(byte);
    Model model = gen_model(c);
    const std::uint8_t few[] = {byte, static_cast<std::uint8_t>(byte * 37), byte};
    ByteChoices none(few);
    for (int step = 0; step < 5; ++step) mutate(none, model, 8192);
    smaller(none, model);
    EXPECT_GE(size_of(model), 1u);
  }
}

TEST(MutateModel, TakesAnyModel) {
  const char* const kDocs[] = {
      "null",
      "[]",
      "{}",
      "5",
      "\"x\"",
      "[[[]]]",
      R"({"var":[],"dma_queue":5,"dma":{}})",
      R"({"var":{"a":null,"b":{"type":5}},"dma_queue":{"":[],"q":{}},"dma":[1,{"desc":[2,{}]}]})",
      R"({"nodes":[{"attrs":{"func_name":"__kelf","kelf":"neff.json"}}],"graphs":[{"definition":"neff.json"}]})"};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomChoices c(seed);
    Model model = gen_model(c);
    for (auto& [path, member] : model.members)
      if (c.chance(25)) member.doc = Json::parse(c.pick(kDocs));
    Model other = gen_model(c);
    for (int step = 0; step < 6; ++step) {
      mutate(c, model, 1 << 14);
      cross_over(c, other, model, 1 << 14);
      cross_over(c, model, other, 1 << 14);
      smaller(c, model);
    }
    (void)lower_model(model);
    (void)lower_model(other);
  }
  Model empty;
  RandomChoices c(1);
  EXPECT_FALSE(smaller(c, empty));
  (void)mutate(c, empty, 10);
  EXPECT_LE(size_of(empty), 10u);
}

// Beyond what a byte counts, too; the payload stays, so that the model lowers as it did.
// A table's entry is a variable; the first number that is none's is an edit of its own, and a seldom one.
TEST(MutateModel, GivesTablesAnEntryOnePast) {
  const auto is_one_past = [](const Json& var) {
    return std::any_of(var.begin(), var.end(), [&](const Json& v) {
      const auto list = v.find("list");
      return v.value("type", Json()) == "dge-table" && list != v.end() && list->is_array() &&
             std::find(list->begin(), list->end(), Json(var.size())) != list->end();
    });
  };
  int one_past = 0, tables = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomChoices c(seed);
    Model model = gen_model(c);
    const std::string path = graphs_of(model).front().definition;
    for (int step = 0; step < 100; ++step) {
      mutate(c, model, 8192);
      const auto it = model.members.find(path);
      if (it == model.members.end() || !it->second.doc.is_object()) break;
      const auto var = it->second.doc.find("var");
      if (var == it->second.doc.end() || !var->is_object()) break;
      tables += var->dump().find("dge-table") != std::string::npos;
      if (!is_one_past(*var)) continue;
      ++one_past;
      EXPECT_FALSE(lower_model(model).has_value());
      break;
    }
  }
  std::printf("%d of 200 in %d models with tables\n", one_past, tables);
  EXPECT_GE(one_past, 3);
}

TEST(MutateModel, GivesNpyHeadersOtherLengths) {
  int longer = 0, same = 0, models = 0;
  for (std::uint64_t seed = 0; models < 20; ++seed) {
    RandomChoices c(seed);
    const Model before = gen_model(c);
    const auto npy = std::find_if(before.members.begin(), before.members.end(),
                                  [](const auto& m) { return m.first.ends_with(".npy"); });
    if (npy == before.members.end()) continue;
    ++models;
    const auto was = payload_of(npy->first, as_bytes(npy->second.bytes));
    for (int step = 0; step < 500; ++step) {
      Model model = before;
      mutate(c, model);
      const auto it = model.members.find(npy->first);
      if (it == model.members.end() || it->second.bytes == npy->second.bytes) continue;
      const auto is = payload_of(it->first, as_bytes(it->second.bytes));
      if (!is || it->second.bytes.size() - is->size() <= 10 + 255) continue;
      ++longer;
      same += as_text(*is) == as_text(*was) && lower_model(model).has_value();
    }
  }
  EXPECT_GE(longer, 3);
  EXPECT_EQ(same, longer);
}

TEST(MutateModel, SmallerEndsInLittle) {
  std::size_t before = 0, after = 0, steps = 0, lowers = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    RandomChoices c(seed);
    Model model = gen_model(c);
    before += size_of(model);
    for (int step = 0; step < 150; ++step) {
      if (!smaller(c, model)) continue;
      ++steps;
      if (step < 5) lowers += lower_model(model).has_value();
    }
    after += size_of(model);
  }
  std::printf("%zu bytes to %zu in %zu steps, %zu of 50 valid\n", before, after, steps, lowers);
  EXPECT_LT(after, before / 3);
  EXPECT_GE(steps, 100u);
}

}  // namespace
}  // namespace assay::harness
