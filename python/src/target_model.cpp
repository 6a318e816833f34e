// SPDX-License-Identifier: MIT
// Trained models of values, or of several labels per node.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "answer.h"
#include "heatfront/data/dataset.h"
#include "heatfront/train/target_fit.h"
#include "heatfront_io/formats/target_model_file.h"
#include "heatfront_report/target_report.h"
#include "held_model.h"
#include "parts.h"
#include "told.h"

namespace heatfront::python {
namespace {

using PythonTargetModel = HeldModel<TargetSession>;
using Made = MadeModel<TargetModel>;

std::unique_ptr<PythonTargetModel> fit_model(const PythonData& data, const std::string& model,
                                             const std::vector<std::string>& settings,
                                             nb::object progress_function, int threads_wanted) {
  PythonProgress progress(std::move(progress_function));
  return progress.during([&](const ProgressCallback& tell) {
    return held<PythonTargetModel>(threads_wanted, [&](Threads& threads) {
      Dataset dataset = *data.data;
      if (!dataset.split) dataset.split = all_targets(dataset);
      TargetFit result = fit_targets(dataset, {.model = model, .settings = settings}, threads, tell);
      Json report = json_of(result);
      report["text"] = text_of(result);
      return Made{std::move(result.model), report.dump()};
    });
  });
}

std::unique_ptr<PythonTargetModel> load_model(const std::string& path, int threads_wanted) {
  return held<PythonTargetModel>(threads_wanted,
                                 [&](Threads& threads) { return Made{read_target_model(path, threads)}; });
}

std::unique_ptr<PythonTargetModel> model_from_bytes(const nb::bytes& bytes, const std::string& report,
                                                    int threads_wanted) {
  const std::span view(static_cast<const std::byte*>(bytes.data()), bytes.size());
  return held<PythonTargetModel>(threads_wanted, [&](Threads& threads) {
    return Made{read_target_model(view, threads), report};
  });
}

// change(session) in a copy, which takes the place of what was there.
template <class Change>
Told changed(PythonTargetModel& model, const Change& change) {
  return model.with([&](TargetSession& session, const TargetAnswer& before) {
    auto copy = std::make_unique<TargetSession>(session.model(), model.threads());
    change(*copy);
    TargetAnswer after = copy->answer();
    const TargetLabelReport report =
        label_report(session.known(), copy->known(), moved_targets(copy->model(), before, after), false);
    Told result = told(json_of(report, copy->model()), text_of(report, copy->model()));
    model.take(std::move(copy), std::move(after));
    return result;
  });
}

// Rows (nodes, columns); one of NaN takes the label away.
Told set_labels(PythonTargetModel& model, const ArrayIn<std::int32_t>& nodes, const DoublesIn& rows) {
  const std::size_t columns = rows.shape(1);
  return changed(model, [&](TargetSession& session) {
    session.begin_batch();
    for (std::size_t i = 0; i < nodes.shape(0); ++i) {
      const std::span row(rows.data() + i * columns, columns);
      const NodeId u = nodes.data()[i];
      std::isnan(row.front()) ? session.unset(u) : session.set(u, row);
    }
    session.close_batch();
  });
}

Told undo(PythonTargetModel& model) {
  return changed(model, [](TargetSession& session) { session.undo(); });
}

void train_again(PythonTargetModel& model, nb::object progress_function) {
  PythonProgress progress(std::move(progress_function));
  progress.during([&](const ProgressCallback& tell) {
    model.with_session([&](TargetSession& session) {
      model.replace(retrain(session.model(), model.threads(), tell).model);
    });
  });
}

Told explanation(PythonTargetModel& model, NodeId node, std::int64_t column) {
  return model.with([&](TargetSession& session, const TargetAnswer& answer) {
    check_node(session.model().data, node);
    const TargetExplanation why = explain_target(session, answer, node, static_cast<std::size_t>(column));
    return told(json_of(why, session.model()), text_of(why, session.model()));
  });
}

Told evaluation(PythonTargetModel& model, double coverage) {
  return model.with([&](TargetSession& session, const TargetAnswer& answer) {
    const TargetEvaluation judged = evaluate_targets(session.model(), answer, coverage);
    return told(json_of(judged, session.model()), text_of(judged, session.model()));
  });
}

std::vector<double> radius(PythonTargetModel& model, double coverage) {
  return model.with([&](TargetSession& session, const TargetAnswer& answer) {
    return intervals_of(session.model(), answer, coverage).radius;
  });
}

Told info(PythonTargetModel& model) {
  return model.with([](TargetSession& session, const TargetAnswer& answer) {
    const TargetIntervals intervals = intervals_of(session.model(), answer, kUsualCoverage);
    return told(json_of(session, answer, intervals), text_of(session, answer, intervals));
  });
}

}  // namespace

void add_target_model(nb::module_& module) {
  module.def("is_target_model", [](const std::string& path) { return is_target_model(path); });
  nb::class_<PythonTargetModel>(module, "TargetModel")
      .def_static("fit", &fit_model, nb::arg("data"), nb::arg("model"), nb::arg("settings"),
                  nb::arg("progress").none(), nb::arg("threads"))
      .def_static("load", &load_model)
      .def_static("from_bytes", &model_from_bytes)
      .def("save",
           [](PythonTargetModel& self, const std::string& path) {
             self.with_session([&](TargetSession& session) { write_model(session.model(), path); });
           })
      .def("to_bytes",
           [](PythonTargetModel& self) {
             const std::vector<std::byte> bytes =
                 self.with_session([](TargetSession& session) { return model_bytes(session.model()); });
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("answer", [](PythonTargetModel& self) { return PythonTargetAnswer{self.told()}; })
      .def("set_labels", &set_labels)
      .def("undo", &undo)
      .def("train_again", &train_again, nb::arg("progress").none())
      .def("explain", &explanation)
      .def("evaluate", &evaluation)
      .def("radius", &radius)
      .def("info", &info)
      .def("find_node",
           [](PythonTargetModel& self, const std::string& name) {
             return self.with_session(
                 [&](TargetSession& session) { return find_node(session.model().data, name); });
           })
      .def("thresholds",
           [](PythonTargetModel& self) {
             return self.with_session([](TargetSession& session) { return session.model().thresholds; });
           })
      .def("known_nodes",
           [](PythonTargetModel& self) {
             return given(self.with_session([](TargetSession& session) { return session.known().nodes; }));
           })
      .def_prop_ro("data", &PythonTargetModel::data, nb::rv_policy::automatic)
      .def_prop_ro(
          "name",
          [](PythonTargetModel& self) {
            return self.with_session([](TargetSession& session) { return session.model().model; });
          },
          nb::rv_policy::automatic)
      .def_prop_ro("names_nodes", &PythonTargetModel::names_nodes, nb::rv_policy::automatic)
      .def_prop_ro("report", &PythonTargetModel::report, nb::rv_policy::automatic)
      .def_prop_ro("threads", &PythonTargetModel::thread_count, nb::rv_policy::automatic);
}

}  // namespace heatfront::python
