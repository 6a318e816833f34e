// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/linear_front.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/softmax.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/models/features.h"
#include "heatfront/models/linear_front/linear_fit.h"

namespace heatfront {
namespace {

constexpr std::string_view kScales = "front_scales", kConfidence = "confidence";

// What `auto` leaves to choose from on this data: l2 and tfidf where most entries are zero, identity without features.
std::vector<std::string> views_of(const std::string& features, const Dataset& dataset) {
  if (features != "auto") return {features};
  if (!dataset.features.present()) return {std::string(kIdentityFeatures)};
  const bool sparse = resolve_features("auto", dataset) != "standardised";
  if (sparse) return {"l2", "tfidf"};
  return {"standardised"};
}

std::vector<FittedFront> as_fitted(std::span<const ChosenFront> fronts) {
  std::vector<FittedFront> result;
  for (const ChosenFront& front : fronts) result.push_back({front.setting, front.kappa});
  return result;
}

const Matrix& matrix_of(const TrainedModel& model, std::string_view name, std::int64_t rows) {
  const auto found = std::ranges::find(model.network, name, &NamedMatrix::name);
  if (found == model.network.end() || found->values.rows() != rows || found->values.cols() != 1)
    fail("{}: a linear front needs '{}' with shape ({}, 1); the file is not as it was written",
         model.data.name, name, rows);
  return found->values;
}

double above_zero(const TrainedModel& model, std::string_view name, Real value) {
  if (!(value > 0 && std::isfinite(value)))
    fail("{}: '{}' holds {}; it must be above 0", model.data.name, name, value);
  return static_cast<double>(value);
}

class LinearFrontPredictor : public Predictor {
 public:
  LinearFrontPredictor(const TrainedModel& model, ConstMatrixView front, Threads& threads)
      : data_(model.data),
        weights_(model.weights),
        front_(front),
        trained_classes_(static_cast<ClassId>(model.front.cols())),
        trained_(training_labels(model.data)),
        threads_(threads) {
    model.read_options(fields(options_));
    const std::vector<FrontSetting> settings = front_settings(model.chosen());
    if (settings.empty()) fail("{}: a linear front without the fronts that were chosen", model.data.name);
    const Matrix& scales = matrix_of(model, kScales, std::ssize(settings));
    for (std::size_t i = 0; i < settings.size(); ++i)
      fronts_.push_back({settings[i], above_zero(model, kScales, scales(static_cast<std::int64_t>(i), 0))});
    confidence_ = above_zero(model, kConfidence, matrix_of(model, kConfidence, 1)(0, 0));
  }

  void set_front(ConstMatrixView front) override { front_ = front; }

  Answer answer(const KnownLabels& known) override {
    const Stopwatch watch;
    const std::int64_t products = fit_ ? fit_->products() : 0;
    Matrix scores = padded_matrix(front_.rows, front_.cols);
    if (is_trained_with(known)) {
      copy_rows(front_, scores);
    } else {
      copy_rows(fitted_to(known).values(), scores);
      scale(confidence_, scores, threads_);
    }
    const DirichletProblem problem = this->problem(known);
    return decide_by(problem, std::move(scores),
                     {.products = (fit_ ? fit_->products() : 0) - products, .seconds = watch.seconds()},
                     all_nodes(data_.graph), threads_);
  }

  Matrix front_of_training_labels() {
    Matrix scores = padded_matrix(front_.rows, front_.cols);
    copy_rows(fitted_to(trained_).values(), scores);
    scale(confidence_, scores, threads_);
    return scores;
  }

  bool is_linear() const override { return true; }

  std::vector<Reasons> reasons(std::span<const NodeId> nodes, const KnownLabels& known) override {
    std::vector<Reasons> result;
    for (LinearFit::Shares& shares : fitted_to(known).shares_of(nodes)) {
      for (double& share : shares.labels) share *= confidence_;
      for (Real& value : shares.own_front) value *= static_cast<Real>(confidence_);
      for (Matrix* matrix : {&shares.attributes, &shares.places}) scale(confidence_, *matrix, threads_);
      result.push_back({.labels = std::move(shares.labels),
                        .centre = 1.0 / static_cast<double>(front_.cols),
                        .attributes = std::move(shares.attributes),
                        .places = std::move(shares.places),
                        .own_front = std::move(shares.own_front)});
    }
    return result;
  }

  Influence influence(std::span<const NodeId> nodes, const KnownLabels& known) override {
    return {.heat = fitted_to(known).influence(nodes),
            .unit = std::vector<double>(nodes.size(), 1.0),
            .label_scale = confidence_};
  }

 private:
  DirichletProblem problem(const KnownLabels& known) const {
    return {.graph = data_.graph,
            .weights = weights_,
            .classes = static_cast<ClassId>(front_.cols),
            .known = known,
            .front = front_};
  }

  static void copy_rows(ConstMatrixView from, MatrixView to) {
    for (std::int64_t u = 0; u < from.rows; ++u) std::ranges::copy(from.row(u), to.row(u).begin());
  }

  bool is_trained_with(const KnownLabels& known) const {
    return front_.cols == trained_classes_ && known.nodes == trained_.nodes &&
           known.classes == trained_.classes;
  }

  LinearFit& fitted_to(const KnownLabels& known) {
    if (!fit_) fit_ = std::make_unique<LinearFit>(data_, weights_, fronts_, options_.flow({}), threads_);
    fit_->fit(known, static_cast<ClassId>(front_.cols));
    return *fit_;
  }

  const Dataset& data_;
  std::span<const Real> weights_;
  ConstMatrixView front_;
  ClassId trained_classes_;
  KnownLabels trained_;
  Threads& threads_;
  LinearFrontOptions options_;
  std::vector<FittedFront> fronts_;
  double confidence_ = 1;
  std::unique_ptr<LinearFit> fit_;  // made when labels are others than those of training
};

}  // namespace

FlowOptions LinearFrontOptions::flow(const KernelSetting& kernel) const {
  return {.time = kernel.time,
          .solver = "chebyshev",
          .solve = {.tolerance = tolerance, .certify = false},
          .laplacian = {.kind = laplacian_kind(laplacian), .self_loop = kernel.self_loop}};
}

OptionFields fields(LinearFrontOptions& options) {
  return {
      features_field(options.features),
      {"time", &options.time, "How long heat flows, to choose from", from_to(0, kLongestTime)},
      {"self_loop", &options.self_loop, "Weight of the loop on every node, to choose from",
       from_to(0, kLargestLoop)},
      {"ridge", &options.ridge, "Penalty of large fronts, to choose from",
       from_to(kLeastRidge, kLargestRidge)},
      {"average", &options.average, "How many of the best fronts answer together", from_to(1, 1000)},
      {"laplacian", &options.laplacian, "Laplacian of the flow", one_of_names(laplacian_kinds())},
      {"tolerance", &options.tolerance, "Error of the flow, relative to the size of the start", above(0)}};
}

LinearFront::LinearFront(const Dataset& dataset, const LinearFrontOptions& options, Threads& threads)
    : dataset_(dataset),
      options_(checked(options, "linear-front")),
      threads_(threads),
      known_(training_labels(dataset)) {}

void LinearFront::prepare(std::span<const Real>) {
  if (scores_.rows() > 0) return;
  const Stopwatch watch;
  FrontChoices choices{.features = views_of(options_.features, dataset_),
                       .times = options_.time,
                       .self_loops = options_.self_loop,
                       .ridges = options_.ridge,
                       .average = at(options_.average)};
  if (choices.times.empty() || choices.self_loops.empty() || choices.ridges.empty())
    fail("linear-front: time, self_loop and ridge each need a value to choose from");
  std::vector<FrontFeatures> features;
  for (const std::string& view : choices.features) features.emplace_back(view, dataset_);
  choice_ = choose_fronts(dataset_, features, choices, known_, options_.flow({}), threads_);
  std::vector<ClassId> labels;
  for (NodeId u : choice_.nodes) labels.push_back(dataset_.labels[at(u)]);
  confidence_ = static_cast<double>(static_cast<Real>(fitted_confidence(choice_.left_out, labels)));

  LinearFit fit(dataset_, dataset_.weights, as_fitted(choice_.fronts), options_.flow({}), threads_);
  std::vector<Matrix> alphas;
  for (ChosenFront& front : choice_.fronts) alphas.push_back(std::move(front.alpha));
  if (alphas.front().rows() > 0) {
    fit.fit(known_, dataset_.classes(), alphas);
  } else {
    fit.fit(known_, dataset_.classes());
  }
  scores_ = padded_matrix(dataset_.nodes(), dataset_.classes());
  copy(fit.values(), scores_, threads_);
  scale(confidence_, scores_, threads_);
  products_ = choice_.products + fit.products();
  seconds_ = watch.seconds();
}

void LinearFront::keep(std::span<const Real>, TrainedModel& model) const {
  Matrix scales(std::ssize(choice_.fronts), 1), confidence(1, 1);
  std::vector<FrontSetting> settings;
  for (std::size_t i = 0; i < choice_.fronts.size(); ++i) {
    scales(static_cast<std::int64_t>(i), 0) = static_cast<Real>(choice_.fronts[i].kappa);
    settings.push_back(choice_.fronts[i].setting);
  }
  confidence(0, 0) = static_cast<Real>(confidence_);
  model.front = scores_;
  model.known = known_;
  model.weights = dataset_.weights;
  model.left_out = {.nodes = choice_.nodes,
                    .shares = Matrix(choice_.left_out.rows(), choice_.left_out.cols())};
  std::vector<Real> logits(at(choice_.left_out.cols()));
  std::vector<double> shares(logits.size());
  for (std::int64_t i = 0; i < choice_.left_out.rows(); ++i) {
    for (std::size_t c = 0; c < logits.size(); ++c)
      logits[c] = static_cast<Real>(confidence_) * choice_.left_out.row(i)[c];
    softmax(logits, shares);
    for (std::size_t c = 0; c < logits.size(); ++c)
      model.left_out.shares.row(i)[c] = static_cast<Real>(shares[c]);
  }
  model.network = {{std::string(kScales), std::move(scales)},
                   {std::string(kConfidence), std::move(confidence)}};
  model.set_option(kChosenOption, text_of(settings));
}

Matrix linear_front_on_its_data(const TrainedModel& model, Threads& threads) {
  const Matrix shape(model.data.nodes(), model.front.cols());
  return LinearFrontPredictor(model, shape, threads).front_of_training_labels();
}

std::unique_ptr<Predictor> linear_front_predictor(const TrainedModel& model, ConstMatrixView front,
                                                  Threads& threads) {
  return std::make_unique<LinearFrontPredictor>(model, front, threads);
}

}  // namespace heatfront
