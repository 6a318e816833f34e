// SPDX-License-Identifier: MIT
#include "heatfront_explore/workbench.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/data/dataset.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_report/output_files.h"

namespace heatfront::explore {
namespace {

std::filesystem::path journal_of(const std::filesystem::path& file) {
  return file.empty() ? file : std::filesystem::path(file.string() + ".journal");
}

void hold(KnownLabels& known, NodeId u, ClassId label) {
  const auto place = std::ranges::lower_bound(known.nodes, u);
  const auto i = place - known.nodes.begin();
  const bool there = place != known.nodes.end() && *place == u;
  if (there && label != kUnknown) {
    known.classes[at(i)] = label;
  } else if (there) {
    known.nodes.erase(place);
    known.classes.erase(known.classes.begin() + i);
  } else if (label != kUnknown) {
    known.nodes.insert(place, u);
    known.classes.insert(known.classes.begin() + i, label);
  }
}

// The changes of the last batch of a log.
std::span<const LabelChange> last_batch(std::span<const LabelChange> log) {
  std::size_t first = log.size();
  while (first > 0 && log[first - 1].batch == log.back().batch) --first;
  return log.subspan(first);
}

}  // namespace

Workbench::Workbench(TrainedModel model, std::filesystem::path file, Clock clock, Threads& threads)
    : file_(std::move(file)),
      clock_(std::move(clock)),
      journal_(journal_of(file_)),
      session_(std::make_unique<Session>(std::move(model), threads)) {
  taken_up_ = journal_.replay(*session_);
  unsaved_ = taken_up_ > 0;
  answer_ = session_->solve();
}

void Workbench::check(const LabelChanges& changes) const {
  if (changes.set.empty() && changes.unset.empty())
    fail("no label is set or removed; name at least one node");
  for (const NodeLabel& entry : changes.set) {
    check_node(data(), entry.node);
    if (entry.label < 0 || entry.label >= data().classes())
      fail("there is no class {}; classes are 0 to {}", entry.label, data().classes() - 1);
  }
  for (const NodeId u : changes.unset) check_node(data(), u);
}

BeforeLabels Workbench::before() const {
  return {.class_names = data().class_names, .known = session_->model().known, .answer = answer_};
}

LabelEffect Workbench::solved(const BeforeLabels& before) {
  answer_ = session_->solve();
  film_.reset();
  ++version_;
  unsaved_ = true;
  return effect_of(before, *session_, answer_);
}

// Classes stay without a label until one is set, as the answer needs a column for them.
ClassId Workbench::add_class(const std::string& name) {
  const ClassId added = session_->add_class(name);
  fresh_classes_.push_back(name);
  answer_ = session_->solve();
  film_.reset();
  ++version_;
  return added;
}

void Workbench::rename_class(ClassId label, const std::string& name) {
  const std::size_t log_before = session_->model().log.size();
  Step step{.new_name = name};
  if (label >= 0 && label < data().classes()) step.old_name = class_name(data(), label);
  session_->rename_class(label, name);
  std::ranges::replace(fresh_classes_, step.old_name, name);
  for (Step& undone : undone_) {
    std::ranges::replace(undone.classes, step.old_name, name);
    for (NamedLabel& entry : undone.set) {
      if (entry.label == step.old_name) entry.label = name;
    }
  }
  if (std::ranges::count(fresh_classes_, name) == 0) journal_.add(step, log_before);
  ++version_;
  unsaved_ = true;
}

LabelEffect Workbench::label(const LabelChanges& changes) {
  check(changes);
  const BeforeLabels then = before();
  const std::size_t log_before = session_->model().log.size();
  Step step{.time = clock_(), .classes = fresh_classes_};
  session_->set_time(step.time);
  session_->begin_batch();
  for (const NodeLabel& entry : changes.set) {
    session_->set(entry.node, entry.label);
    step.set.push_back({data().node_name(entry.node), class_name(data(), entry.label)});
  }
  for (const NodeId u : changes.unset) {
    session_->unset(u);
    step.unset.push_back(data().node_name(u));
  }
  session_->close_batch();
  if (session_->model().log.size() > log_before) {
    journal_.add(step, log_before);
    fresh_classes_.clear();
    undone_.clear();
  }
  return solved(then);
}

// What would set the nodes of a batch as they were before it.
Step Workbench::reversed(std::span<const LabelChange> batch) const {
  Step step;
  for (const LabelChange& change : batch) {
    if (change.before == kUnknown)
      step.unset.push_back(data().node_name(change.node));
    else
      step.set.push_back({data().node_name(change.node), class_name(data(), change.before)});
  }
  return step;
}

LabelEffect Workbench::undo() {
  const std::vector<LabelChange>& log = session_->model().log;
  if (log.empty()) fail("there is nothing to undo");
  const BeforeLabels then = before();
  const std::span<const LabelChange> batch = last_batch(log);
  Step back = reversed(batch);
  back.undo = true;
  Step again{.time = batch.front().time};
  for (const LabelChange& change : batch) {
    if (change.after == kUnknown) {
      again.unset.push_back(data().node_name(change.node));
    } else {
      again.set.push_back({data().node_name(change.node), class_name(data(), change.after)});
      if (change.after >= session_->model().front.cols()) again.classes.push_back(again.set.back().label);
    }
  }
  const std::size_t log_before = log.size();
  session_->undo();
  journal_.add(back, log_before);
  undone_.push_back(std::move(again));
  return solved(then);
}

LabelEffect Workbench::redo() {
  if (undone_.empty()) fail("there is nothing to do again");
  const BeforeLabels then = before();
  const Step step = undone_.back();
  const std::size_t log_before = session_->model().log.size();
  session_->set_time(step.time);
  session_->begin_batch();
  for (const std::string& name : step.classes) {
    if (std::ranges::count(data().class_names, name) == 0) session_->add_class(name);
  }
  for (const NamedLabel& entry : step.set)
    session_->set(find_node(data(), entry.node), find_class(data(), entry.label));
  for (const std::string& node : step.unset) session_->unset(find_node(data(), node));
  session_->close_batch();
  journal_.add(step, log_before);
  undone_.pop_back();
  return solved(then);
}

Answer Workbench::preview(const LabelChanges& changes) const {
  check(changes);
  KnownLabels known = session_->model().known;
  for (const NodeLabel& entry : changes.set) hold(known, entry.node, entry.label);
  for (const NodeId u : changes.unset) hold(known, u, kUnknown);
  return session_->answer_with(known);
}

Reach Workbench::reach(NodeId u) const {
  check_node(data(), u);
  const ClassId held = session_->known_class(u);
  Reach result{.node = u,
               .label = held == kUnknown ? answer_.decisions.classes[at(u)] : held,
               .held = held != kUnknown};
  const Answer other =
      result.held ? preview({.set = {}, .unset = {u}}) : preview({.set = {{u, result.label}}, .unset = {}});
  result.moved.resize(at(data().nodes()));
  for (NodeId v = 0; v < data().nodes(); ++v) {
    const auto now = answer_.temperatures.values.row(v), then = other.temperatures.values.row(v);
    Real most = 0;
    for (std::size_t c = 0; c < now.size(); ++c) most = std::max(most, std::abs(now[c] - then[c]));
    result.moved[at(v)] = most;
    if (v == u) continue;
    result.most = std::max(result.most, most);
    result.flips += answer_.decisions.classes[at(v)] != other.decisions.classes[at(v)];
  }
  return result;
}

const Film& Workbench::film() {
  if (!film_) film_ = film_of(*session_);
  return *film_;
}

LabelEffect Workbench::take(TrainedModel trained) {
  const BeforeLabels then = before();
  // Names that classes got while it trained.
  std::vector<std::string>& names = trained.data.class_names;
  std::copy_n(data().class_names.begin(), std::min(names.size(), data().class_names.size()), names.begin());
  auto session = std::make_unique<Session>(std::move(trained), session_->threads());
  // What was changed while it trained.
  const std::vector<LabelChange>& log = session_->model().log;
  for (std::size_t i = session->model().log.size(); i < log.size();) {
    const std::int64_t batch = log[i].batch;
    session->set_time(log[i].time);
    session->begin_batch();
    for (; i < log.size() && log[i].batch == batch; ++i) {
      if (log[i].after == kUnknown) {
        session->unset(log[i].node);
        continue;
      }
      const std::string& name = class_name(data(), log[i].after);
      if (std::ranges::count(session->model().data.class_names, name) == 0) session->add_class(name);
      session->set(log[i].node, find_class(session->model().data, name));
    }
    session->close_batch();
  }
  session_ = std::move(session);
  return solved(then);
}

void Workbench::save(const Matrix& layout) {
  if (file_.empty()) fail("there is no file to save to");
  check_outputs({{file_, kModelFile}});
  TrainedModel model = session_->model();
  model.layout = layout;
  write_model(model, file_);
  journal_.remove();
  unsaved_ = false;
}

}  // namespace heatfront::explore
