// SPDX-License-Identifier: MIT
#include "heatfront/models/heat_front.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/random.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/models/consistency.h"
#include "heatfront/models/features.h"
#include "heatfront/models/flow_predictor.h"
#include "heatfront/models/label_scale.h"
#include "heatfront/nn/loss.h"

namespace heatfront {
namespace {

// Of the seed: those of later networks follow.
constexpr std::uint64_t kNetworkPart = 0, kWeightsPart = 1;

// Of the seed of a step, of which layers of the network have the first parts.
constexpr std::uint64_t kFrontsPart = 1 << 20, kSamplesPart = kFrontsPart + 1, kRowsPart = kFrontsPart + 2,
                        kLabelsPart = kFrontsPart + 3;

// The first has the seed itself.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t part, std::size_t i) {
  return i == 0 ? seed : Random(seed).part(part).bits(i);
}

// Nobody asks how exact a flow is while training.
FlowOptions for_training(FlowOptions options) {
  options.solve.certify = false;
  return options;
}

std::vector<Mlp> networks(const HeatFrontOptions& options, std::int64_t in, std::int64_t out,
                          ParameterLayout& layout, std::vector<std::int64_t>& ends) {
  std::vector<Mlp> result;
  for (std::int64_t m = 0; m < options.fronts; ++m) {
    result.emplace_back(in, out, options.network, layout, m == 0 ? "" : fmt::format("front{}.", m + 1));
    ends.push_back(layout.size());
  }
  return result;
}

void add_range(std::span<const Real> from, std::int64_t begin, std::int64_t end, std::span<Real> to) {
  for (std::int64_t i = begin; i < end; ++i) to[at(i)] += from[at(i)];
}

bool changes_front(const HeatFrontOptions& options) {
  return options.held_labels > 0 || options.front_dropout > 0;
}

}  // namespace

HeatFront::Way::Way(const ModelRows& rows, std::span<const Real> weights, const FlowOptions& options,
                    Threads& threads)
    : flow(rows.flow(weights, for_training(options), threads)) {}

HeatFront::Sample::Sample(const Mlp& mlp, const ModelRows& rows, bool changes_front)
    : network(mlp.step_workspace(rows.dataset().nodes(), rows.ids())) {
  const std::int64_t n = rows.dataset().nodes(), classes = rows.dataset().classes();
  for (Matrix* matrix : {&front, &temperatures, &d_temperatures, &d_front})
    *matrix = padded_matrix(n, classes);
  if (changes_front) changed = padded_matrix(n, classes);
}

HeatFront::HeatFront(const ModelRows& rows, const HeatFrontOptions& options, Threads& threads)
    : rows_(rows),
      dataset_(rows_.dataset()),
      options_(checked(options, "heat-front")),
      threads_(threads),
      input_(network_input(options.features, dataset_, rows_.ids(), ranks())),
      networks_(networks(options, input_.cols(), dataset_.classes(), layout_, ends_)),
      weighting_(make_edge_weighting(options, rows_, layout_, threads)),
      known_(training_labels(dataset_)),
      labels_(static_cast<std::int64_t>(ranks().sum(static_cast<double>(known_.nodes.size())))),
      judging_labels_(labels_),
      step_(rows_, weighting_->weights(), options.free_flow(), threads),
      targets_(options.consistency > 0 ? Matrix(dataset_.nodes(), dataset_.classes()) : Matrix()),
      judged_by_(known_.nodes),
      d_operator_(weighting_->learns() ? step_.flow->zero_gradient() : OperatorGradient{}),
      judge_(rows_, weighting_->weights(), options.clamped_flow(), threads),
      judge_work_(networks_.front().judge_workspace(dataset_.nodes())),
      judge_front_(padded_matrix(dataset_.nodes(), dataset_.classes())),
      judge_temperatures_(padded_matrix(dataset_.nodes(), dataset_.classes())) {
  if (weighting_->learns()) pairs_ = rows_.pairs();
  for (const Mlp& network : networks_)
    entries_.push_back(spread_matrix(dataset_.nodes(), network.entry_width()));
  for (std::int64_t k = 0; k < options.samples; ++k) {
    samples_.emplace_back(networks_.front(), rows_, changes_front(options));
    samples_.back().trace.for_operator = weighting_->learns();
  }
  if (networks_.size() > 1) another_front_ = judge_front_;
  if (networks_.size() * samples_.size() > 1) addend_ = layout_.zeros();
  judge_.flow->hold(known_.nodes);
}

std::vector<DecayRange> HeatFront::decay(double weight_decay) const {
  return {{.begin = 0, .end = ends_.back(), .decay = weight_decay / static_cast<double>(networks_.size())},
          {.begin = ends_.back(), .end = layout_.size(), .decay = weight_decay}};
}

void HeatFront::initialise(std::uint64_t seed, std::span<Real> parameters) const {
  for (std::size_t m = 0; m < networks_.size(); ++m)
    networks_[m].initialise(Random(seed).part(m == 0 ? kNetworkPart : kWeightsPart + m), parameters);
  weighting_->initialise(Random(seed).part(kWeightsPart), parameters);
}

void HeatFront::prepare(std::span<const Real> parameters) {
  const Stopwatch watch;
  if (weighting_->learns()) {
    weighting_->prepare(parameters);
    step_.flow->set_weights(weighting_->weights());
    judge_.flow->set_weights(weighting_->weights());
  }
  for (std::size_t m = 0; m < networks_.size(); ++m)
    networks_[m].enter(input_, parameters, entries_[m], threads_);
  shared_seconds_ += watch.seconds();
}

double HeatFront::gradient(std::span<const Real> parameters, std::uint64_t seed, std::span<Real> gradient) {
  double loss = 0;
  for (std::size_t m = 0; m < networks_.size(); ++m)
    loss += front_gradient(m, parameters, seed_of(seed, kFrontsPart, m), gradient);
  ranks().sum_reals(gradient.first(at(ends_.back())));
  return ranks().sum(loss);
}

// What this front adds to the loss. Its gradient is written at its own network, and added up at the weights.
double HeatFront::front_gradient(std::size_t m, std::span<const Real> parameters, std::uint64_t seed,
                                 std::span<Real> gradient) {
  hold_labels(seed);
  double sum = 0;
  for (std::size_t k = 0; k < samples_.size(); ++k) {
    forward(m, parameters, seed_of(seed, kSamplesPart, k), samples_[k]);
    sum += loss(samples_[k]);
  }
  if (options_.consistency > 0) sum += draw_together();
  for (std::size_t k = 0; k < samples_.size(); ++k) {
    const bool adds_network = k > 0, adds_weights = m + k > 0;
    backward(m, parameters, samples_[k], adds_weights ? addend_ : gradient,
             adds_network ? addend_ : gradient);
    if (adds_network) add_range(addend_, m == 0 ? 0 : ends_[m - 1], ends_[m], gradient);
    if (adds_weights) add_range(addend_, ends_.back(), layout_.size(), gradient);
  }
  return sum;
}

// As many as the setting says, drawn anew; one label at least is judged by.
void HeatFront::hold_labels(std::uint64_t seed) {
  if (options_.held_labels == 0) return;
  const auto labels = at(labels_);
  const auto count =
      std::min(labels - 1, static_cast<std::size_t>(options_.held_labels * static_cast<double>(labels)));
  const Random random = Random(seed).part(kLabelsPart);
  order_.resize(labels);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::sort(order_, {}, [&](std::size_t i) { return random.bits(i); });
  held_.nodes.clear();
  held_.classes.clear();
  judged_by_.clear();
  const std::span<const std::int64_t> places = rows_.training_places();  // ascending
  for (std::size_t i = 0; i < labels; ++i) {
    std::size_t own = order_[i];
    if (rows_.parted()) {
      const auto place = std::ranges::lower_bound(places, static_cast<std::int64_t>(own));
      if (place == places.end() || *place != static_cast<std::int64_t>(own)) continue;
      own = static_cast<std::size_t>(place - places.begin());
    }
    const NodeId u = known_.nodes[own];
    if (i >= count) {
      judged_by_.push_back(u);
      continue;
    }
    held_.nodes.push_back(u);
    held_.classes.push_back(known_.classes[own]);
  }
  judging_labels_ = labels_ - static_cast<std::int64_t>(count);
  step_.flow->hold(held_.nodes);
}

void HeatFront::forward(std::size_t m, std::span<const Real> parameters, std::uint64_t seed, Sample& sample) {
  Stopwatch watch;
  networks_[m].forward(entries_[m], parameters, seed, sample.network, sample.front, threads_);
  step_.network_seconds += watch.seconds();

  watch = {};
  if (changes_front(options_)) copy(sample.front, sample.changed, threads_);
  if (options_.front_dropout > 0) {
    drop_rows(seed, sample);
    scale_rows(sample.kept, sample.changed, threads_);
  }
  if (options_.held_labels > 0) hold_at(held_, sample.front, sample.changed);
  copy(sample.start(), sample.temperatures, threads_);
  step_.products += step_.flow->forward(sample.temperatures, &sample.trace).products;
  step_.flow_seconds += watch.seconds();
}

// Every row of the whole has 16 bits of one stream, four in a word.
void HeatFront::drop_rows(std::uint64_t seed, Sample& sample) const {
  const Dropout dropout(options_.front_dropout);
  const Random random = Random(seed).part(kRowsPart);
  sample.kept.resize(at(dataset_.nodes()));
  if (!rows_.parted()) return dropout.factors_from(random, 0, sample.kept);
  for (std::size_t u = 0; u < sample.kept.size(); ++u) {
    std::array<Real, 4> of_word;
    const auto id = static_cast<std::uint64_t>(rows_.ids()[u]);
    dropout.factors_from(random, id / of_word.size(), of_word);
    sample.kept[u] = of_word[id % of_word.size()];
  }
}

// Of the labels that are judged by, as part of the mean over all samples and fronts.
double HeatFront::loss(Sample& sample) {
  const double share = share_of_a_sample();
  if (options_.held_labels > 0 || options_.consistency > 0)
    shape_like(sample.d_temperatures, sample.temperatures);
  const double loss = cross_entropy(sample.temperatures, dataset_.labels, judged_by_, sample.d_temperatures,
                                    class_weights_, judging_labels_);
  if (share != 1) scale(share, sample.d_temperatures, threads_);
  return share * loss;
}

double HeatFront::draw_together() {
  std::vector<ConstMatrixView> logits;
  for (const Sample& sample : samples_) logits.push_back(sample.temperatures);
  sharpened_mean(logits, options_.sharpening, targets_, threads_);
  const double weight = options_.consistency * share_of_a_sample() / static_cast<double>(rows_.nodes());
  double sum = 0;
  for (Sample& sample : samples_)
    sum += consistency(sample.temperatures, targets_, weight, sample.d_temperatures, threads_);
  return sum;
}

void HeatFront::backward(std::size_t m, std::span<const Real> parameters, Sample& sample,
                         std::span<Real> for_weights, std::span<Real> for_network) {
  Stopwatch watch;
  copy(sample.d_temperatures, sample.d_front, threads_);
  step_.products +=
      step_.flow->backward(sample.trace, sample.d_front, weighting_->learns() ? &d_operator_ : nullptr)
          .products;
  if (weighting_->learns()) weight_gradient(parameters, sample, for_weights);
  front_backward(sample);
  step_.flow_seconds += watch.seconds();

  watch = {};
  networks_[m].backward(input_, parameters, sample.network, sample.d_front, for_network, threads_);
  backward_seconds_ += watch.seconds();
}

// From where the flow began to the network's front.
void HeatFront::front_backward(Sample& sample) {
  double d_scale = 0;  // of the temperature of a label
  for (std::size_t i = 0; i < held_.nodes.size(); ++i) {
    const auto row = sample.d_front.row(held_.nodes[i]);
    d_scale += static_cast<double>(row[at(held_.classes[i])]);
    std::ranges::fill(row, Real(0));
  }
  if (options_.front_dropout > 0) scale_rows(sample.kept, sample.d_front, threads_);
  if (depends_on_front(options_))
    front_unit_backward(sample.front, options_.label_scale * ranks().sum(d_scale), sample.d_front, threads_,
                        ranks());
}

void HeatFront::weight_gradient(std::span<const Real> parameters, const Sample& sample,
                                std::span<Real> gradient) {
  step_.flow->weight_gradient(d_operator_, sample.start(), sample.d_front, sample.temperatures,
                              sample.d_temperatures, *pairs_, d_weights_);
  weighting_->backward(parameters, d_weights_.edges, gradient);
}

ConstMatrixView HeatFront::judge(std::span<const Real> parameters) {
  Stopwatch watch;
  for (std::size_t m = 0; m < networks_.size(); ++m) {
    Matrix& front = m == 0 ? judge_front_ : another_front_;
    networks_[m].judge(entries_[m], parameters, judge_work_, front, threads_);
    if (m > 0) add_scaled(1, front, judge_front_, threads_);
  }
  if (networks_.size() > 1) scale(1 / static_cast<double>(networks_.size()), judge_front_, threads_);
  judge_.network_seconds += watch.seconds();

  watch = {};
  copy(judge_front_, judge_temperatures_, threads_);
  hold_at(known_, judge_front_, judge_temperatures_);
  judge_.products += judge_.flow->forward(judge_temperatures_, nullptr).products;
  judge_.flow_seconds += watch.seconds();
  return judge_temperatures_;
}

void HeatFront::hold_at(const KnownLabels& known, ConstMatrixView front, MatrixView state) const {
  set_known({.graph = dataset_.graph,
             .weights = weighting_->weights(),
             .classes = dataset_.classes(),
             .known = known,
             .label_scale = label_temperature(options_, front, threads_, ranks())},
            state);
}

void HeatFront::keep(std::span<const Real> parameters, TrainedModel& model) const {
  model.front = rows_.whole(judge_front_);
  if (!rows_.parted()) model.known = known_;
  model.network = named_matrices(layout_, parameters);
  weighting_->keep(parameters, model);
}

std::vector<NamedMatrix> HeatFront::whole_block(std::span<const Real> block) const {
  std::vector<NamedMatrix> matrices = named_matrices(layout_, block);
  weighting_->gather(matrices);
  return matrices;
}

void HeatFront::take_block(const std::vector<NamedMatrix>& whole, std::span<Real> block) const {
  std::vector<NamedMatrix> own = whole;
  weighting_->share_out(own);
  take_matrices(own, layout_, block);
}

ModelSeconds HeatFront::seconds() const {
  return {.shared = shared_seconds_,
          .forward = step_.network_seconds,
          .flow = step_.flow_seconds,
          .backward = backward_seconds_,
          .judge_network = judge_.network_seconds,
          .judge_flow = judge_.flow_seconds};
}

std::unique_ptr<Predictor> heat_front_predictor(const TrainedModel& model, ConstMatrixView front,
                                                Threads& threads) {
  const HeatFrontOptions options = model.heat_front_options();
  return std::make_unique<FlowPredictor>(
      DirichletProblem{.graph = model.data.graph,
                       .weights = model.weights,
                       .classes = static_cast<ClassId>(front.cols),
                       .known = model.known,
                       .front = front,
                       .label_scale = label_temperature(options, model.front, threads)},
      options.clamped_flow(), threads);
}

}  // namespace heatfront
