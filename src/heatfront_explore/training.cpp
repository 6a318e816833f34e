// SPDX-License-Identifier: MIT
#include "heatfront_explore/training.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/label/label_effect.h"
#include "heatfront/models/held_data.h"
#include "heatfront/train/auto_fit.h"
#include "heatfront/train/retrain.h"

namespace heatfront::explore {
namespace {

// Was it chosen by anything? What cold_start() makes was not.
bool has_learned(const TrainedModel& model) {
  return !model.history.empty() || !model.left_out.nodes.empty() || model.model != kFlowAlone;
}

TrainedModel trained_on_held(const TrainedModel& model, Threads& threads, const ProgressCallback& progress) {
  if (has_learned(model)) return train_further(model, threads, progress).fit.model;
  TrainedModel result =
      fit_auto(with_held_labels(model.data, model.known), {.quick = true}, threads, progress).fit.model;
  result.log = model.log;
  result.layout = model.layout;
  return result;
}

std::map<NodeId, bool> rightly_left_out(const TrainedModel& model) {
  std::map<NodeId, bool> right;
  for (std::size_t i = 0; i < model.left_out.nodes.size(); ++i) {
    const NodeId u = model.left_out.nodes[i];
    const auto row = model.left_out.shares.row(static_cast<std::int64_t>(i));
    right[u] = std::ranges::max_element(row) - row.begin() == model.data.labels[at(u)];
  }
  return right;
}

double validation_accuracy(const TrainedModel& model, const Split& judges, Threads& threads) {
  Session session(model, threads);
  return scores(session.solve(), session.model().data, judges).validation;
}

}  // namespace

TrainedAgain train_again(const TrainedModel& model, Threads& threads, const ProgressCallback& progress) {
  TrainedAgain result{.model = trained_on_held(model, threads, progress)};
  const Split judges = judged_by(model.split(), model.known.nodes).split;
  if (!judges.validation.empty()) {
    result.before = validation_accuracy(model, judges, threads);
    result.after = validation_accuracy(result.model, judges, threads);
  } else {
    const std::map<NodeId, bool> before = rightly_left_out(model), after = rightly_left_out(result.model);
    double both = 0;
    for (const auto& [node, right] : after) {
      const auto there = before.find(node);
      if (there == before.end()) continue;
      ++both;
      result.before += there->second;
      result.after += right;
    }
    result.before /= both;
    result.after /= both;
  }
  result.better = !(result.after < result.before);
  return result;
}

void Training::start(TrainedModel model, int thread_count) {
  if (running_) fail("training is under way already");
  if (thread_.joinable()) thread_.join();
  {
    const std::lock_guard lock(mutex_);
    result_.reset();
    error_.clear();
    progress_ = {.stage = "training"};
  }
  stopped_ = false;
  running_ = true;
  thread_ = std::thread([this, thread_count, model = std::move(model)] {
    try {
      Threads threads(thread_count);
      TrainedAgain trained = train_again(model, threads, [this](const Progress& progress) {
        const std::lock_guard lock(mutex_);
        progress_ = progress;
        return !stopped_;
      });
      const std::lock_guard lock(mutex_);
      result_ = std::move(trained);
    } catch (const Interrupted&) {
      // it was asked to stop
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex_);
      error_ = error.what();
    }
    running_ = false;
  });
}

void Training::stop() {
  stopped_ = true;
  wait();
}

void Training::wait() {
  if (thread_.joinable()) thread_.join();
}

Progress Training::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

std::string Training::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::optional<TrainedAgain> Training::taken() {
  const std::lock_guard lock(mutex_);
  return std::exchange(result_, std::nullopt);
}

}  // namespace heatfront::explore
