// SPDX-License-Identifier: MIT
// Every setting of every model: values at the ends of its range are taken and those just beyond are refused, whether they
// come as text or in the struct; and a struct trains as the same settings in text do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "heatfront/models/appnp.h"
#include "heatfront/models/cgnn.h"
#include "heatfront/models/correct_and_smooth.h"
#include "heatfront/models/gat.h"
#include "heatfront/models/gcn.h"
#include "heatfront/models/label_propagation.h"
#include "heatfront/models/monet.h"
#include "heatfront/train/fit.h"
#include "support/error_text.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Value>
struct Cases {
  std::vector<Value> inside, outside;
};

void add_cases(const OptionRange& range, Cases<double>& cases) {
  const auto add_end = [&](double end, bool open, double beyond) {
    if (std::isinf(end)) return;
    cases.inside.push_back(open ? std::nextafter(end, -beyond) : end);
    cases.outside.push_back(open ? end : std::nextafter(end, beyond));
  };
  add_end(range.least, range.above_least, -kInfinity);
  add_end(range.most, range.below_most, kInfinity);
  (range.or_infinite ? cases.inside : cases.outside).push_back(kInfinity);
  cases.outside.push_back(-kInfinity);
  cases.outside.push_back(std::numeric_limits<double>::quiet_NaN());
}

void add_cases(const OptionRange& range, Cases<std::int64_t>& cases) {
  const auto add_end = [&](double end, std::int64_t beyond) {
    if (std::isinf(end)) return;
    cases.inside.push_back(static_cast<std::int64_t>(end));
    cases.outside.push_back(static_cast<std::int64_t>(end) + beyond);
  };
  add_end(range.least, -1);
  add_end(range.most, 1);
}

void add_cases(const OptionRange&, Cases<bool>& cases) { cases.inside = {true, false}; }

void add_cases(const OptionRange& range, Cases<std::string>& cases) {
  for (const OptionChoice& choice : range.choices) cases.inside.emplace_back(choice.name);
  cases.outside = {"", "no such"};
}

template <class Number>
void add_cases(const OptionRange& range, Cases<std::vector<Number>>& cases) {
  Cases<Number> entries;
  add_cases(range, entries);
  cases.inside = {{}, entries.inside};
  for (Number entry : entries.outside) {
    cases.outside.push_back({entry});
    cases.outside.push_back(entries.inside);
    cases.outside.back().push_back(entry);
  }
}

template <class Value>
std::string as_text(Value value) {
  return text_of(OptionField{"", &value, ""});
}

class EverySetting : public testing::TestWithParam<ModelEntry> {
 protected:
  EverySetting() : data_(test::small_blocks(threads_)) {
    data_.features = Features(Matrix(data_.nodes(), 2));
  }

  // Both ways for each of them; `try_value` is called with the field and where its value is.
  template <class Try>
  void for_settings(const Try& try_value) {
    for (const OptionField& field : settings_.fields) {
      SCOPED_TRACE(field.name);
      std::visit([&](auto* place) { try_value(field, place); }, field.value);
    }
  }

  Threads threads_{1};
  Dataset data_;
  ModelSettings settings_{GetParam().name};
};

INSTANTIATE_TEST_SUITE_P(Models, EverySetting, testing::ValuesIn(models().begin(), models().end()),
                         [](const testing::TestParamInfo<ModelEntry>& entry) {
                           std::string name(entry.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(EverySetting, HasARangeItsDefaultIsInAndNamesItsChoices) {
  EXPECT_NO_THROW(check_options(settings_.fields, "defaults"));
  for_settings([]<class Value>(const OptionField& field, Value*) {
    EXPECT_FALSE(field.what.empty());
    if constexpr (std::is_same_v<Value, std::string>) {
      EXPECT_FALSE(field.range.choices.empty());
    }
    if constexpr (std::is_same_v<Value, std::int64_t>) {
      EXPECT_GE(field.range.least, 0);
    }
  });
}

TEST_P(EverySetting, IsTakenAtTheEndsOfItsRange) {
  for_settings([&]<class Value>(const OptionField& field, Value* place) {
    const Value before = *place;
    Cases<Value> cases;
    add_cases(field.range, cases);
    for (const Value& value : cases.inside) {
      set_option(settings_.fields, field.name, as_text(value), "text");
      EXPECT_EQ(*place, value);
      *place = value;
      check_options(settings_.fields, "struct");
      *place = before;
    }
  });
}

TEST_P(EverySetting, IsRefusedBeyondItsRangeAsTextAndInItsStruct) {
  for_settings([&]<class Value>(const OptionField& field, Value* place) {
    const Value before = *place;
    Cases<Value> cases;
    add_cases(field.range, cases);
    for (const Value& value : cases.outside) {
      const std::string refusal =
          ": " + std::string(field.name) + " is '" + as_text(value) + "', but must be " + allowed(field);
      const std::string text =
          test::error_text([&] { set_option(settings_.fields, field.name, as_text(value), "--set"); });
      EXPECT_TRUE(text.starts_with("--set" + refusal)) << text;
      EXPECT_EQ(*place, before) << "what is refused is not set";
      *place = value;
      const std::string typed =
          test::error_text([&] { fit(data_, *settings_.model, settings_.training, 0, threads_); });
      EXPECT_TRUE(typed.ends_with(refusal)) << typed;
      *place = before;
    }
  });
}

template <class Options>
class EveryOptionStruct : public testing::Test {};

using OptionStructs =
    testing::Types<HeatFrontOptions, GcnOptions, GatOptions, MonetOptions, AppnpOptions, CgnnOptions,
                   MlpModelOptions, CorrectAndSmoothOptions, LabelPropagationOptions>;
TYPED_TEST_SUITE(EveryOptionStruct, OptionStructs);

TYPED_TEST(EveryOptionStruct, TrainsAsTheSameSettingsInTextDo) {
  Threads threads(1);
  Dataset data = test::small_blocks(threads);
  Matrix features(data.nodes(), 3);
  for (NodeId u = 0; u < data.nodes(); ++u) features(u, u % 3) = Real(1) + static_cast<Real>(u);
  data.features = Features(std::move(features));

  TrainOptions training = train_defaults<TypeParam>();
  training.epochs = 2;
  const Fit typed = fit(data, TypeParam(), training, 7, threads);
  const std::string name(model_options(TypeParam())->entry().name);
  const Fit text =
      fit(data, {.model = name, .preset = {"none"}, .settings = {"epochs=2"}, .seed = 7}, threads);
  EXPECT_EQ(typed.model.model, name);
  EXPECT_EQ(typed.preset, "none");
  EXPECT_EQ(typed.model.options, text.model.options);
  ASSERT_EQ(typed.model.front.rows(), data.nodes());
  for (NodeId u = 0; u < data.nodes(); ++u)
    EXPECT_TRUE(std::ranges::equal(typed.model.front.row(u), text.model.front.row(u)));
}

TEST(TypedFit, TakesWhatTheStructSaysAndRefusesWhatIsBeyond) {
  Threads threads(1);
  const Dataset data = test::small_data("karate", "per-class 2,3", threads);
  const Fit result = fit(data, HeatFrontOptions{.time = 3.5}, {.epochs = 4}, 0, threads);
  EXPECT_EQ(result.model.heat_front_options().time, 3.5);
  EXPECT_EQ(result.training.history.size(), 4u);
  EXPECT_EQ(test::error_text([&] { fit(data, HeatFrontOptions{.time = -1}, TrainOptions(), 0, threads); }),
            "heat-front: time is '-1', but must be a number from 0 to 1e+30");
  EXPECT_EQ(test::error_text([&] { fit(data, HeatFrontOptions(), {.epochs = 0}, 0, threads); }),
            "training: epochs is '0', but must be a whole number, 1 or more");
}

TEST(ATrainedModel, IsRefusedWithASettingBeyondItsRange) {
  Threads threads(1);
  const Dataset data = test::small_data("karate", "per-class 2,3", threads);
  TrainedModel model = fit(data, HeatFrontOptions(), {.epochs = 1}, 0, threads).model;
  EXPECT_NO_THROW(check(model, "m.hf"));
  model.set_option("time", "-1");
  EXPECT_EQ(test::error_text([&] { check(model, "m.hf"); }),
            "m.hf: the model's options: time is '-1', but must be a number from 0 to 1e+30");
}

}  // namespace
}  // namespace heatfront
