// SPDX-License-Identifier: MIT
// Many answers at once: accuracy over time, models side by side, settings searched for.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "data.h"
#include "heatfront_experiment/compare/compare.h"
#include "heatfront_experiment/search/search.h"
#include "heatfront_experiment/sweep.h"
#include "heatfront_io/formats/choose_split.h"
#include "heatfront_report/comparison_report.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/search_report.h"
#include "long_call.h"
#include "parts.h"
#include "told.h"

namespace heatfront::python {
namespace {

// work(threads, callback), without Python's lock. Jobs side by side have threads of their own, which Ctrl-C does not cancel: the
// callback ends them.
template <class Work>
Told experiment(int threads_wanted, nb::object progress_function, const Work& work) {
  Threads threads(threads_wanted);
  PythonProgress progress(std::move(progress_function));
  return progress.during([&](const ProgressCallback& tell) {
    const ProgressCallback go_on = [&](const Progress& now) {
      return !threads.cancelled() && (!tell || tell(now));
    };
    return long_call(threads, [&] { return work(threads, go_on); });
  });
}

Told sweep(const PythonData& data, const std::vector<double>& times, const std::string& split,
           std::uint32_t seed, nb::object progress, int threads_wanted) {
  return experiment(threads_wanted, std::move(progress), [&](Threads& threads, const ProgressCallback& tell) {
    FlowTask task{.dataset = *data.data};
    task.split = choose_split(task.dataset, split, seed);
    const KnownSource& known = default_known_source(true);
    task.known_from = known.name;
    task.known = known_labels(task.dataset, task.split, known);
    const Sweep result = sweep_times(task, times, threads, tell);
    return told(json_of(task, result), text_of(task, result));
  });
}

Told compare_models(const PythonData& data, const std::vector<std::string>& models, const std::string& split,
                    std::int64_t runs, std::uint32_t seed, bool by_presets, const std::string& record,
                    nb::object progress, int threads_wanted) {
  const CompareOptions options{.models = models,
                               .split = split,
                               .runs = runs,
                               .seed = seed,
                               .record = record,
                               .choose = by_presets ? Choosing::presets : Choosing::folds};
  return experiment(threads_wanted, std::move(progress), [&](Threads& threads, const ProgressCallback& tell) {
    const Comparison result = compare(*data.data, options, threads, tell);
    return told(json_of(result, *data.data), text_of(result, *data.data));
  });
}

Told search_settings(const PythonData& data, const std::string& model, const std::string& split,
                     std::int64_t trials, const std::vector<std::uint32_t>& seeds, std::uint64_t seed,
                     const std::string& space, const std::vector<std::string>& fixed, double seconds,
                     const std::string& record, nb::object progress, int threads_wanted) {
  return experiment(threads_wanted, std::move(progress), [&](Threads& threads, const ProgressCallback& tell) {
    Settings settings;
    for (const std::string& setting : fixed) settings.push_back(parse_setting(setting));
    const SearchOptions options{.model = model,
                                .space = with_fixed(open_space(model, space), settings, true),
                                .split = split,
                                .trials = trials,
                                .seeds = seeds,
                                .seed = seed,
                                .time_budget = seconds,
                                .record = record};
    const Search found = search(*data.data, options, threads, tell);
    Json object = json_of(found, options, data.data->name);
    object["preset"] = preset_text(found, options, "Found by heatfront.search.");
    return told(object, text_of(found, options, data.data->name));
  });
}

}  // namespace

void add_experiments(nb::module_& module) {
  module.def("sweep", &sweep, nb::arg("data"), nb::arg("times"), nb::arg("split"), nb::arg("seed"),
             nb::arg("progress").none(), nb::arg("threads"));
  module.def("compare", &compare_models, nb::arg("data"), nb::arg("models"), nb::arg("split"),
             nb::arg("runs"), nb::arg("seed"), nb::arg("by_presets"), nb::arg("record"),
             nb::arg("progress").none(), nb::arg("threads"));
  module.def("search", &search_settings, nb::arg("data"), nb::arg("model"), nb::arg("split"),
             nb::arg("trials"), nb::arg("seeds"), nb::arg("seed"), nb::arg("space"), nb::arg("fixed"),
             nb::arg("seconds"), nb::arg("record"), nb::arg("progress").none(), nb::arg("threads"));
}

}  // namespace heatfront::python
