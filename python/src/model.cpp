// SPDX-License-Identifier: MIT
// Trained models of classes: fitting, labels, new nodes, reasons and figures.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "answer.h"
#include "heatfront/base/fail.h"
#include "heatfront/data/dataset.h"
#include "heatfront/label/explain.h"
#include "heatfront/label/growth.h"
#include "heatfront/label/label_effect.h"
#include "heatfront/label/rank.h"
#include "heatfront/label/suggest.h"
#include "heatfront/train/auto_fit.h"
#include "heatfront/train/retrain.h"
#include "heatfront_io/files/settings_file.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/open_model.h"
#include "heatfront_io/formats/read_new_nodes.h"
#include "heatfront_report/evaluation_report.h"
#include "heatfront_report/explanation_report.h"
#include "heatfront_report/label_report.h"
#include "heatfront_report/model_report.h"
#include "heatfront_report/ranking_report.h"
#include "held_model.h"
#include "parts.h"
#include "told.h"

namespace heatfront::python {
namespace {

using PythonModel = HeldModel<Session>;
using Made = MadeModel<TrainedModel>;

std::string report_of(Json object, std::string text, const Training& training) {
  object["history"] = json_of(std::span(training.history));
  object["text"] = std::move(text);
  return object.dump();
}

Made fitted_by_itself(const Dataset& dataset, const AutoOptions& options, Threads& threads,
                      const ProgressCallback& progress) {
  AutoFit result = fit_auto(dataset, options, threads, progress);
  std::string report = report_of(json_of(result), text_of(result), result.fit.training);
  return {std::move(result.fit.model), std::move(report)};
}

Made fitted(const Dataset& dataset, const FitOptions& options, Threads& threads,
            const ProgressCallback& progress) {
  Fit result = fit(
      dataset, options, threads,
      [&](const EpochReport& epoch, const EpochReport& best) {
        if (progress && !progress(progress_of(epoch, best))) throw Interrupted();
        return true;
      },
      progress);
  const FitReport about{.fit = result};
  std::string report = report_of(json_of(about), text_of(about), result.training);
  return {std::move(result.model), std::move(report)};
}

std::unique_ptr<PythonModel> fit_model(const PythonData& data, const std::string& model,
                                       const std::vector<std::string>& settings, const std::string& preset,
                                       std::uint64_t seed, bool quick, nb::object progress_function,
                                       int threads_wanted) {
  PythonProgress progress(std::move(progress_function));
  return progress.during([&](const ProgressCallback& tell) {
    return held<PythonModel>(threads_wanted, [&](Threads& threads) {
      Dataset dataset = *data.data;
      if (!dataset.split) dataset.split = all_labels(dataset);
      if (model != kAuto) {
        return fitted(
            dataset,
            {.model = model, .preset = open_preset(preset, model), .settings = settings, .seed = seed},
            threads, tell);
      }
      if (!settings.empty() || !preset.empty())
        fail("settings: {} has none of its own; name the model that they are for", kAuto);
      return fitted_by_itself(dataset, {.quick = quick, .seed = seed}, threads, tell);
    });
  });
}

std::unique_ptr<PythonModel> load_model(const std::string& path, int threads_wanted) {
  return held<PythonModel>(threads_wanted, [&](Threads& threads) { return Made{open_model(path, threads)}; });
}

std::unique_ptr<PythonModel> model_from_bytes(const nb::bytes& bytes, const std::string& report,
                                              int threads_wanted) {
  const std::span view(static_cast<const std::byte*>(bytes.data()), bytes.size());
  return held<PythonModel>(threads_wanted, [&](Threads& threads) {
    return Made{read_model(view, threads), report};
  });
}

// change(session) sets labels as one batch; what that did. Taken back where it or the solve fails.
template <class Change>
Told changed(PythonModel& model, const Change& change) {
  return model.with([&](Session& session, const Answer&) {
    const BeforeLabels before = before_labels(session);
    const std::size_t logged = session.model().log.size();
    try {
      change(session);
      Answer after = session.solve();
      const LabelEffect effect = effect_of(before, session, after);
      Told result = told(json_of(effect, session.model().data), text_of(effect, session));
      model.take(std::move(after));
      return result;
    } catch (...) {
      session.close_batch();
      if (session.model().log.size() > logged) session.undo();
      throw;
    }
  });
}

// Nodes and the classes that they get; -1: the label is taken away.
Told set_labels(PythonModel& model, const ArrayIn<std::int32_t>& nodes, const ArrayIn<std::int32_t>& classes,
                const std::vector<std::string>& new_classes, std::int64_t time) {
  return changed(model, [&](Session& session) {
    session.set_time(time);
    session.begin_batch();
    for (const std::string& name : new_classes) session.add_class(name);
    for (std::size_t i = 0; i < nodes.shape(0); ++i) {
      const NodeId u = nodes.data()[i];
      classes.data()[i] == kUnknown ? session.unset(u) : session.set(u, classes.data()[i]);
    }
    session.close_batch();
  });
}

Told undo(PythonModel& model) {
  return model.with([&](Session& session, const Answer&) {
    auto copy = std::make_unique<Session>(session.model(), model.threads());
    const BeforeLabels before = before_labels(*copy);
    copy->undo();
    Answer after = copy->solve();
    const LabelEffect effect = effect_of(before, *copy, after);
    Told result = told(json_of(effect, copy->model().data), text_of(effect, *copy));
    model.take(std::move(copy), std::move(after));
    return result;
  });
}

void train_again(PythonModel& model, nb::object progress_function) {
  PythonProgress progress(std::move(progress_function));
  progress.during([&](const ProgressCallback& tell) {
    model.with_session([&](Session& session) {
      model.replace(train_further(session.model(), model.threads(), tell).fit.model);
    });
  });
}

Told grown(PythonModel& model, Session& session, const NewNodesFile& added, std::int64_t time) {
  GrownSession result = grow(session, added.nodes, added.labels, time);
  Json object = json_of(result.growth, *result.session, result.answer);
  object["notes"] = added.notes;
  Told said = told(object, text_of(result.growth, *result.session, result.answer));
  model.take(std::move(result.session), std::move(result.answer));
  return said;
}

Told add_folder(PythonModel& model, const std::string& folder, std::int64_t time) {
  return model.with_session([&](Session& session) {
    return grown(model, session, read_new_nodes(folder, session.model().data), time);
  });
}

// Arcs go by the numbers of old nodes, and of new ones from the number of old nodes on; so do labels.
Told add_nodes(PythonModel& model, std::int64_t count, const std::vector<std::string>& names,
               const ArrayIn<std::int32_t>& from, const ArrayIn<std::int32_t>& to,
               const std::optional<ArrayIn<float>>& weights, const std::optional<MatrixIn>& dense,
               const std::optional<SparseIn>& sparse, std::optional<ColumnsIn> columns,
               const ArrayIn<std::int32_t>& labelled, const ArrayIn<std::int32_t>& classes,
               std::int64_t time) {
  return model.with_session([&](Session& session) {
    const Dataset& data = session.model().data;
    NewNodesFile added;
    added.nodes.nodes = static_cast<NodeId>(count);
    added.nodes.names = names;
    added.nodes.edges = {.nodes = data.nodes() + added.nodes.nodes,
                         .from = vector_of(from),
                         .to = vector_of(to),
                         .weights = weights ? vector_of(*weights) : std::vector<Real>()};
    if (columns) {
      ColumnTable table = read_columns_like(columns_of(*std::move(columns)), data, "X");
      added.nodes.features = std::move(table.features);
      added.notes = std::move(table.notes);
    } else {
      added.nodes.features = features_of(dense, sparse);
    }
    added.labels.nodes = vector_of(labelled);
    added.labels.classes = vector_of(classes);
    return grown(model, session, added, time);
  });
}

std::string suggestions(PythonModel& model, std::int64_t count, const std::string& by) {
  return model.with([&](Session& session, const Answer& answer) {
    const SuggestOptions options{.count = count,
                                 .by = by.empty() ? default_suggest_by(session) : find_suggest_by(by)};
    return json_of(suggest(session, answer, options), session.model().data).dump();
  });
}

Told explanation(PythonModel& model, NodeId node) {
  return model.with([&](Session& session, const Answer& answer) {
    check_node(session.model().data, node);
    const Explanation why = explain(session, answer, node, {});
    return told(json_of(why, session), text_of(why, session));
  });
}

Told ranking(PythonModel& model, const std::string& label, std::int64_t count, bool known) {
  return model.with([&](Session& session, const Answer& answer) {
    const Ranking ranked = rank(
        session, answer,
        {.label = find_class(session.model().data, label), .count = count, .known = known, .reasons = true});
    return told(json_of(ranked, session, answer), text_of(ranked, session, answer));
  });
}

Told evaluation(PythonModel& model, double coverage, const std::string& score) {
  return model.with([&](Session& session, const Answer& answer) {
    const Evaluation judged = evaluate(session.model(), answer, {.coverage = coverage, .score = score});
    return told(json_of(judged, session), text_of(judged, session));
  });
}

}  // namespace

void add_model(nb::module_& module) {
  nb::class_<PythonModel>(module, "Model")
      .def_static("fit", &fit_model, nb::arg("data"), nb::arg("model"), nb::arg("settings"),
                  nb::arg("preset"), nb::arg("seed"), nb::arg("quick"), nb::arg("progress").none(),
                  nb::arg("threads"))
      .def_static("load", &load_model)
      .def_static("from_bytes", &model_from_bytes)
      .def("save",
           [](PythonModel& self, const std::string& path) {
             self.with_session([&](Session& session) { write_model(session.model(), path); });
           })
      .def("to_bytes",
           [](PythonModel& self) {
             const std::vector<std::byte> bytes =
                 self.with_session([](Session& session) { return model_bytes(session.model()); });
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("answer", [](PythonModel& self) { return PythonAnswer{self.told()}; })
      .def("set_labels", &set_labels)
      .def("undo", &undo)
      .def("train_again", &train_again, nb::arg("progress").none())
      .def("add_folder", &add_folder)
      .def("add_nodes", &add_nodes, nb::arg("count"), nb::arg("names"), nb::arg("source"), nb::arg("target"),
           nb::arg("weights").none(), nb::arg("dense").none(), nb::arg("sparse").none(),
           nb::arg("columns").none(), nb::arg("labelled"), nb::arg("classes"), nb::arg("time"))
      .def("suggest", &suggestions)
      .def("explain", &explanation)
      .def("rank", &ranking)
      .def("evaluate", &evaluation)
      .def(
          "find_node",
          [](PythonModel& self, const std::string& name) {
            return self.with_session([&](Session& session) { return find_node(session.model().data, name); });
          })
      .def("info",
           [](PythonModel& self) {
             return self.with([](Session& session, const Answer& answer) {
               return told(json_of(session, answer), text_of(session, answer));
             });
           })
      .def("known_nodes",
           [](PythonModel& self) {
             return given(self.with_session([](Session& session) { return session.model().known.nodes; }));
           })
      .def("known_classes",
           [](PythonModel& self) {
             return given(self.with_session([](Session& session) { return session.model().known.classes; }));
           })
      .def_prop_ro("data", &PythonModel::data, nb::rv_policy::automatic)
      .def_prop_ro(
          "class_names",
          [](PythonModel& self) {
            return self.with_session([](Session& session) { return session.model().data.class_names; });
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "nodes",
          [](PythonModel& self) {
            return self.with_session([](Session& session) { return session.model().data.nodes(); });
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "name",
          [](PythonModel& self) {
            return self.with_session([](Session& session) { return session.model().model; });
          },
          nb::rv_policy::automatic)
      .def_prop_ro("names_nodes", &PythonModel::names_nodes, nb::rv_policy::automatic)
      .def_prop_ro("report", &PythonModel::report, nb::rv_policy::automatic)
      .def_prop_ro("threads", &PythonModel::thread_count, nb::rv_policy::automatic);
}

}  // namespace heatfront::python
