// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/linear_front.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/softmax.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/models/features.h"
#include "heatfront/models/linear_front/front_confidence.h"
#include "heatfront/models/linear_front/linear_fit.h"

namespace heatfront {
namespace {

constexpr std::string_view kScales = "front_scales", kWeights = "front_weights", kConfidence = "confidence",
                           kCentre = "centre", kOffset = "offset",
                           kFormerPrior = "prior";  // shares p of older versions, for o = β p

// What `auto` leaves to choose from on this data: l2 and tfidf where most entries are zero, else standardised columns and products of few; the
// graph alone beside them and without features.
std::vector<std::string> views_of(const std::string& features, const Dataset& dataset) {
  if (features != "auto") return {features};
  if (!dataset.features.present()) return {std::string(kIdentityFeatures)};
  const bool sparse = resolve_features("auto", dataset) != "standardised";
  if (sparse) return {"l2", "tfidf", std::string(kIdentityFeatures)};
  if (dataset.features.cols() > kMostInProducts) return {"standardised", std::string(kIdentityFeatures)};
  return {"standardised", std::string(kProductFeatures), std::string(kIdentityFeatures)};
}

std::vector<FittedFront> as_fitted(std::span<const ChosenFront> fronts) {
  std::vector<FittedFront> result;
  for (const ChosenFront& front : fronts) result.push_back({front.setting, front.kappa, front.weight});
  return result;
}

// The best one in which heat flows, for weights are nothing to the others; else the best one, for the shortest time there is.
FrontSetting flowing_setting(std::span<const ChosenFront> fronts, std::span<const double> times) {
  for (const ChosenFront& front : fronts)
    if (front.setting.kernel.time > 0) return front.setting;
  FrontSetting setting = fronts.front().setting;
  for (double time : times)
    if (time > 0 && (setting.kernel.time == 0 || time < setting.kernel.time)) setting.kernel.time = time;
  return setting;
}

const Matrix& matrix_of(const TrainedModel& model, std::string_view name, std::int64_t rows) {
  const auto found = std::ranges::find(model.network, name, &NamedMatrix::name);
  if (found == model.network.end() || found->values.rows() != rows || found->values.cols() != 1)
    fail("{}: a linear front needs '{}' with shape ({}, 1); the file is not as it was written",
         model.data.name, name, rows);
  return found->values;
}

Matrix column_of(std::span<const double> values) {
  Matrix result(std::ssize(values), 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    result(static_cast<std::int64_t>(i), 0) = static_cast<Real>(values[i]);
  return result;
}

double above_zero(const TrainedModel& model, std::string_view name, Real value) {
  if (!(value > 0 && std::isfinite(value)))
    fail("{}: '{}' holds {}; it must be above 0", model.data.name, name, value);
  return static_cast<double>(value);
}

// Shares by class; none where the file has none, as those of older versions.
std::vector<double> shares_in(const TrainedModel& model, std::string_view name) {
  if (std::ranges::count(model.network, name, &NamedMatrix::name) == 0) return {};
  std::vector<double> result;
  const Matrix& values = matrix_of(model, name, model.front.cols());
  for (std::int64_t c = 0; c < values.rows(); ++c) {
    if (!(values(c, 0) >= 0 && values(c, 0) <= 1))
      fail("{}: '{}' holds {}; a share is from 0 to 1", model.data.name, name, values(c, 0));
    result.push_back(static_cast<double>(values(c, 0)));
  }
  return result;
}

// Shares of the classes among the labels, as a file would keep them; empty where they are even.
std::vector<double> uneven_shares(const KnownLabels& known, ClassId classes) {
  std::vector<double> counts(at(classes));
  for (ClassId label : known.classes) ++counts[at(label)];
  if (std::ranges::adjacent_find(counts, std::not_equal_to()) == counts.end()) return {};
  for (double& count : counts)
    count = static_cast<double>(static_cast<Real>(count / static_cast<double>(known.classes.size())));
  return counts;
}

// o in a file, as it is or as older versions have it; none where it has none.
std::vector<double> offset_in(const TrainedModel& model, double confidence) {
  if (std::ranges::count(model.network, kOffset, &NamedMatrix::name) == 0) {
    std::vector<double> offset = shares_in(model, kFormerPrior);
    for (double& value : offset) value *= confidence;
    return offset;
  }
  std::vector<double> offset;
  const Matrix& values = matrix_of(model, kOffset, model.front.cols());
  for (std::int64_t c = 0; c < values.rows(); ++c) {
    if (!std::isfinite(values(c, 0)))
      fail("{}: '{}' holds {}; it must be a finite number", model.data.name, kOffset, values(c, 0));
    offset.push_back(static_cast<double>(values(c, 0)));
  }
  return offset;
}

// Classes that came later are as rare as the rarest.
std::vector<double> offset_by_class(std::span<const double> offset, std::int64_t classes) {
  std::vector<double> result(offset.begin(), offset.end());
  if (!result.empty()) result.resize(at(classes), *std::ranges::min_element(offset));
  return result;
}

// β times each row, and the offset.
void make_logits(double confidence, std::span<const double> offset, Matrix& scores, Threads& threads) {
  scale(confidence, scores, threads);
  const std::vector<double> by_class = offset_by_class(offset, scores.cols());
  for (std::int64_t u = 0; u < scores.rows() && !by_class.empty(); ++u) {
    for (std::size_t c = 0; c < by_class.size(); ++c) scores.row(u)[c] += static_cast<Real>(by_class[c]);
  }
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
    const Matrix& weights = matrix_of(model, kWeights, std::ssize(settings));
    for (std::size_t i = 0; i < settings.size(); ++i) {
      const auto row = static_cast<std::int64_t>(i);
      fronts_.push_back({settings[i], above_zero(model, kScales, scales(row, 0)),
                         above_zero(model, kWeights, weights(row, 0))});
    }
    confidence_ = above_zero(model, kConfidence, matrix_of(model, kConfidence, 1)(0, 0));
    centre_ = shares_in(model, kCentre);
    offset_ = offset_in(model, confidence_);
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
      make_logits(confidence_, offset_, scores, threads_);
    }
    const DirichletProblem problem = this->problem(known);
    return decide_by(problem, std::move(scores),
                     {.products = (fit_ ? fit_->products() : 0) - products, .seconds = watch.seconds()},
                     all_nodes(data_.graph), threads_);
  }

  Matrix front_of_training_labels() {
    Matrix scores = padded_matrix(front_.rows, front_.cols);
    copy_rows(fitted_to(trained_).values(), scores);
    make_logits(confidence_, offset_, scores, threads_);
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
                        .centre = centre_by_class(),
                        .prior = offset_by_class(offset_, front_.cols),
                        .attributes = std::move(shares.attributes),
                        .places = std::move(shares.places),
                        .own_front = std::move(shares.own_front)});
    }
    return result;
  }

  Influence influence(std::span<const NodeId> nodes, const KnownLabels& known) override {
    Influence result{.heat = fitted_to(known).influence(nodes),
                     .unit = std::vector<double>(nodes.size(), 1.0),
                     .label_scale = confidence_};
    const bool even = centre_.empty() && offset_.empty();
    const std::vector<double> centre = centre_by_class(), offset = offset_by_class(offset_, front_.cols);
    for (std::size_t c = 0; c < centre.size() && !even; ++c)
      result.beside.push_back((offset.empty() ? 0 : offset[c]) - confidence_ * centre[c]);
    return result;
  }

 private:
  DirichletProblem problem(const KnownLabels& known) const {
    return {.graph = data_.graph,
            .weights = weights_,
            .classes = static_cast<ClassId>(front_.cols),
            .known = known,
            .front = front_};
  }

  std::vector<double> centre_by_class() const {
    std::vector<double> result;
    for (ClassId c = 0; c < static_cast<ClassId>(front_.cols); ++c)
      result.push_back(centre_of(centre_, c, static_cast<ClassId>(front_.cols)));
    return result;
  }

  static void copy_rows(ConstMatrixView from, MatrixView to) {
    for (std::int64_t u = 0; u < from.rows; ++u) std::ranges::copy(from.row(u), to.row(u).begin());
  }

  bool is_trained_with(const KnownLabels& known) const {
    return front_.cols == trained_classes_ && known.nodes == trained_.nodes &&
           known.classes == trained_.classes;
  }

  LinearFit& fitted_to(const KnownLabels& known) {
    if (!fit_) {
      fit_ = std::make_unique<LinearFit>(data_, weights_, fronts_, options_.flow({}), threads_);
      fit_->set_centre(centre_);
    }
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
  std::vector<double> centre_, offset_;
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
      added({"edge_weights", &options.edge_weights, "Weights of the edges",
             one_of({{"none", "the data's own"},
                     {"features", "learned, by how similar the features of both ends are"}})},
            "none"),
      {"tolerance", &options.tolerance, "Error of the flow, relative to the size of the start", above(0)}};
}

FrontChoices front_choices(const LinearFrontOptions& options, const Dataset& dataset) {
  FrontChoices choices{.features = views_of(options.features, dataset),
                       .times = options.time,
                       .self_loops = options.self_loop,
                       .ridges = options.ridge,
                       .average = at(options.average),
                       .centre = {}};
  if (choices.times.empty() || choices.self_loops.empty() || choices.ridges.empty())
    fail("linear-front: time, self_loop and ridge each need a value to choose from");
  return choices;
}

LinearFront::LinearFront(const Dataset& dataset, const LinearFrontOptions& options, Threads& threads)
    : dataset_(dataset),
      options_(checked(options, "linear-front")),
      threads_(threads),
      known_(training_labels(dataset)) {
  if (options_.edge_weights != "none" && options_.laplacian == "random-walk")
    fail("linear-front: edge_weights={} needs a symmetric flow; set laplacian=symmetric or combinatorial",
         options_.edge_weights);
}

void LinearFront::prepare(std::span<const Real>) {
  if (scores_.rows() > 0) return;
  const Stopwatch watch;
  FrontChoices choices = front_choices(options_, dataset_);
  centre_ = uneven_shares(known_, dataset_.classes());
  choices.centre = centre_;
  choices.offset = offset_of_shares(known_, dataset_.classes());
  if (class_weights_.empty()) offset_ = choices.offset;
  std::vector<FrontFeatures> features;
  for (const std::string& view : choices.features) features.emplace_back(view, dataset_);
  choice_ =
      choose_fronts(dataset_, weights(), features, choices, known_, options_.flow({}), threads_, progress_);
  if (options_.edge_weights == "features") {
    const FrontSetting best = flowing_setting(choice_.fronts, options_.time);
    const auto view = std::ranges::find(choices.features, best.kernel.features) - choices.features.begin();
    products_ = choice_.products;
    learned_ =
        learn_edge_weights(dataset_, features[at(view)], best, known_, options_.flow(best.kernel), threads_);
    products_ += learned_.products;
    choice_ =
        choose_fronts(dataset_, weights(), features, choices, known_, options_.flow({}), threads_, progress_);
  }
  std::vector<ClassId> labels;
  for (NodeId u : choice_.nodes) labels.push_back(dataset_.labels[at(u)]);
  confidence_ = static_cast<double>(
      static_cast<Real>(fitted_confidence(choice_.left_out, labels, offset_, class_weights_)));
  make_logits(confidence_, offset_, choice_.left_out, threads_);

  LinearFit fit(dataset_, weights(), as_fitted(choice_.fronts), options_.flow({}), threads_);
  fit.set_centre(centre_);
  std::vector<Matrix> alphas;
  for (ChosenFront& front : choice_.fronts) alphas.push_back(std::move(front.alpha));
  if (alphas.front().rows() > 0) {
    fit.fit(known_, dataset_.classes(), alphas);
  } else {
    fit.fit(known_, dataset_.classes());
  }
  scores_ = padded_matrix(dataset_.nodes(), dataset_.classes());
  copy(fit.values(), scores_, threads_);
  make_logits(confidence_, offset_, scores_, threads_);
  products_ += choice_.products + fit.products();
  seconds_ = watch.seconds();
}

void LinearFront::keep(std::span<const Real>, TrainedModel& model) const {
  Matrix scales(std::ssize(choice_.fronts), 1), shares_of_fronts = scales, confidence(1, 1);
  std::vector<FrontSetting> settings;
  for (std::size_t i = 0; i < choice_.fronts.size(); ++i) {
    scales(static_cast<std::int64_t>(i), 0) = static_cast<Real>(choice_.fronts[i].kappa);
    shares_of_fronts(static_cast<std::int64_t>(i), 0) = static_cast<Real>(choice_.fronts[i].weight);
    settings.push_back(choice_.fronts[i].setting);
  }
  confidence(0, 0) = static_cast<Real>(confidence_);
  model.front = scores_;
  model.known = known_;
  model.weights.assign(weights().begin(), weights().end());
  model.left_out = {.nodes = choice_.nodes,
                    .shares = Matrix(choice_.left_out.rows(), choice_.left_out.cols())};
  std::vector<double> shares(at(choice_.left_out.cols()));
  for (std::int64_t i = 0; i < choice_.left_out.rows(); ++i) {
    softmax(choice_.left_out.row(i), shares);
    for (std::size_t c = 0; c < shares.size(); ++c)
      model.left_out.shares.row(i)[c] = static_cast<Real>(shares[c]);
  }
  model.network = {{std::string(kScales), std::move(scales)},
                   {std::string(kWeights), std::move(shares_of_fronts)},
                   {std::string(kConfidence), std::move(confidence)}};
  std::ranges::copy(learned_.matrices, std::back_inserter(model.network));
  if (!centre_.empty()) model.network.push_back({std::string(kCentre), column_of(centre_)});
  if (!offset_.empty()) model.network.push_back({std::string(kOffset), column_of(offset_)});
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
