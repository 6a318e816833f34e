// SPDX-License-Identifier: MIT
// A trained model in use. One call at a time works with it; a call that fails or is interrupted leaves it as it was.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "answer.h"
#include "arrays.h"
#include "data.h"
#include "heatfront/base/fail.h"
#include "heatfront/data/names.h"
#include "heatfront/label/explain.h"
#include "heatfront/label/label_effect.h"
#include "heatfront/label/session.h"
#include "heatfront/label/suggest.h"
#include "heatfront/train/auto_fit.h"
#include "heatfront/train/fit.h"
#include "heatfront/train/retrain.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/open_model.h"
#include "heatfront_report/evaluation_report.h"
#include "heatfront_report/explanation_report.h"
#include "heatfront_report/label_report.h"
#include "heatfront_report/model_report.h"
#include "long_call.h"
#include "parts.h"

namespace heatfront::python {
namespace {

class PythonModel {
 public:
  PythonModel(TrainedModel model, std::string report, int threads)
      : threads_(std::make_unique<Threads>(threads)),
        report_(std::move(report)),
        session_(std::make_unique<Session>(std::move(model), *threads_)) {}

  // work(session, its answer), alone with the model and without Python's lock.
  template <class Work>
  auto with(const Work& work) {
    return long_call(*threads_, [&] {
      const std::lock_guard lock(mutex_);
      return work(*session_, answer());
    });
  }

  // The same for what needs no answer.
  template <class Work>
  auto with_session(const Work& work) {
    return long_call(*threads_, [&] {
      const std::lock_guard lock(mutex_);
      return work(*session_);
    });
  }

  PythonAnswer told() {
    return with([&](Session&, const Answer&) { return PythonAnswer{answer_}; });
  }

  // change(session) sets labels as one batch; what that did. Taken back where it or the solve fails.
  template <class Change>
  std::string changed(const Change& change) {
    return with([&](Session& session, const Answer&) {
      const BeforeLabels before = before_labels(session);
      const std::size_t logged = session.model().log.size();
      try {
        change(session);
        auto after = std::make_shared<const Answer>(session.solve());
        std::string effect = json_of(effect_of(before, session, *after), session.model().data).dump();
        answer_ = std::move(after);
        return effect;
      } catch (...) {
        session.close_batch();
        if (session.model().log.size() > logged) session.undo();
        throw;
      }
    });
  }

  std::string undo() {
    return with([&](Session& session, const Answer&) {
      auto copy = std::make_unique<Session>(session.model(), *threads_);
      const BeforeLabels before = before_labels(*copy);
      copy->undo();
      auto after = std::make_shared<const Answer>(copy->solve());
      std::string effect = json_of(effect_of(before, *copy, *after), copy->model().data).dump();
      session_ = std::move(copy);
      answer_ = std::move(after);
      return effect;
    });
  }

  void replace(TrainedModel model) {
    auto session = std::make_unique<Session>(std::move(model), *threads_);
    auto after = std::make_shared<const Answer>(session->solve());
    session_ = std::move(session);
    answer_ = std::move(after);
  }

  Threads& threads() { return *threads_; }
  int thread_count() const { return threads_->count(); }
  const std::string& report() const { return report_; }

 private:
  const Answer& answer() {
    if (!answer_) answer_ = std::make_shared<const Answer>(session_->solve());
    return *answer_;
  }

  std::unique_ptr<Threads> threads_;
  std::string report_;
  std::mutex mutex_;
  std::unique_ptr<Session> session_;
  std::shared_ptr<const Answer> answer_;  // with the labels held now; null: not asked for yet
};

std::unique_ptr<PythonModel> fit_model(const PythonData& data, const std::string& model,
                                       const std::vector<std::string>& settings, const std::string& preset,
                                       std::uint64_t seed, bool quick, nb::object progress_function,
                                       int threads_wanted) {
  Threads threads(threads_wanted);
  PythonProgress progress(std::move(progress_function));
  TrainedModel trained;
  std::string report;
  try {
    long_call(threads, [&] {
      Dataset dataset = *data.data;
      if (!dataset.split) dataset.split = all_labels(dataset);
      if (model == kAuto) {
        if (!settings.empty())
          fail("settings: {} has none of its own; name the model that they are for", kAuto);
        AutoFit result = fit_auto(dataset, {.quick = quick, .seed = seed}, threads, progress.callback());
        report = json_of(result).dump();
        trained = std::move(result.fit.model);
        return;
      }
      const ProgressCallback tell = progress.callback();
      Fit result = fit(
          dataset,
          {.model = model, .preset = {preset.empty() ? "none" : preset}, .settings = settings, .seed = seed},
          threads, [&](const EpochReport& epoch, const EpochReport& best) {
            if (tell && !tell(progress_of(epoch, best))) throw Interrupted();
            return true;
          });
      report = json_of(FitReport{.fit = result}).dump();
      trained = std::move(result.model);
    });
  } catch (const Interrupted&) {
    progress.rethrow();
    throw;
  }
  return std::make_unique<PythonModel>(std::move(trained), std::move(report), threads_wanted);
}

std::unique_ptr<PythonModel> load_model(const std::string& path, int threads_wanted) {
  Threads threads(threads_wanted);
  return std::make_unique<PythonModel>(long_call(threads, [&] { return open_model(path, threads); }), "{}",
                                       threads_wanted);
}

std::unique_ptr<PythonModel> model_from_bytes(const nb::bytes& bytes, int threads_wanted) {
  Threads threads(threads_wanted);
  const std::span view(static_cast<const std::byte*>(bytes.data()), bytes.size());
  return std::make_unique<PythonModel>(long_call(threads, [&] { return read_model(view, threads); }), "{}",
                                       threads_wanted);
}

// Nodes and the classes that they get; -1: the label is taken away.
std::string set_labels(PythonModel& model, const ArrayIn<std::int32_t>& nodes,
                       const ArrayIn<std::int32_t>& classes, const std::vector<std::string>& new_classes) {
  return model.changed([&](Session& session) {
    session.begin_batch();
    for (const std::string& name : new_classes) session.add_class(name);
    for (std::size_t i = 0; i < nodes.shape(0); ++i) {
      const NodeId u = nodes.data()[i];
      classes.data()[i] == kUnknown ? session.unset(u) : session.set(u, classes.data()[i]);
    }
    session.close_batch();
  });
}

void train_again(PythonModel& model, nb::object progress_function) {
  PythonProgress progress(std::move(progress_function));
  try {
    model.with_session([&](Session& session) {
      model.replace(retrain(session.model(), model.threads(), progress.callback()).model);
    });
  } catch (const Interrupted&) {
    progress.rethrow();
    throw;
  }
}

std::string suggestions(PythonModel& model, std::int64_t count, const std::string& by) {
  return model.with([&](Session& session, const Answer& answer) {
    const SuggestOptions options{.count = count,
                                 .by = by.empty() ? default_suggest_by(session) : find_suggest_by(by)};
    return json_of(suggest(session, answer, options), session.model().data).dump();
  });
}

std::string explanation(PythonModel& model, NodeId node) {
  return model.with([&](Session& session, const Answer& answer) {
    check_node(session.model().data, node);
    return json_of(explain(session, answer, node, {}), session).dump();
  });
}

std::string evaluation(PythonModel& model, double coverage, const std::string& score) {
  return model.with([&](Session& session, const Answer& answer) {
    return json_of(evaluate(session.model(), answer, {.coverage = coverage, .score = score}), session).dump();
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
      .def("answer", &PythonModel::told)
      .def("set_labels", &set_labels)
      .def("undo", &PythonModel::undo)
      .def("train_again", &train_again, nb::arg("progress").none())
      .def("suggest", &suggestions)
      .def("explain", &explanation)
      .def("evaluate", &evaluation)
      .def(
          "find_node",
          [](PythonModel& self, const std::string& name) {
            return self.with_session([&](Session& session) { return find_node(session.model().data, name); });
          })
      .def("info",
           [](PythonModel& self) {
             return self.with(
                 [](Session& session, const Answer& answer) { return json_of(session, answer).dump(); });
           })
      .def("known_nodes",
           [](PythonModel& self) {
             return given(self.with_session([](Session& session) { return session.model().known.nodes; }));
           })
      .def("known_classes",
           [](PythonModel& self) {
             return given(self.with_session([](Session& session) { return session.model().known.classes; }));
           })
      .def_prop_ro(
          "data",
          [](PythonModel& self) {
            return PythonData{self.with_session(
                [](Session& session) { return std::make_shared<const Dataset>(session.model().data); })};
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "name",
          [](PythonModel& self) {
            return self.with_session([](Session& session) { return session.model().model; });
          },
          nb::rv_policy::automatic)
      .def_prop_ro("report", &PythonModel::report, nb::rv_policy::automatic)
      .def_prop_ro("threads", &PythonModel::thread_count, nb::rv_policy::automatic);
}

}  // namespace heatfront::python
