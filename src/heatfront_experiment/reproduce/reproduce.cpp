// SPDX-License-Identifier: MIT
#include "heatfront_experiment/reproduce/reproduce.h"

#include <algorithm>
#include <map>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/base/text.h"
#include "heatfront/models/models.h"
#include "heatfront_experiment/reproduce/table_job.h"
#include "heatfront_experiment/side_by_side.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/formats/writers.h"
#include "heatfront_neighbours/kernel.h"
#include "heatfront_neighbours/knn.h"

namespace heatfront {
namespace {

constexpr std::int64_t kNeighbours = 10;

bool chosen(const std::vector<std::string>& list, std::string_view name) {
  return list.empty() || std::ranges::find(list, name) != list.end();
}

// Points are joined to their nearest neighbours once; the graph is kept in the folder.
Dataset open(const PaperDataset& dataset, const std::filesystem::path& folder, Threads& threads,
             const ProgressCallback& progress) {
  const std::string name(dataset.name);
  if (dataset.joined) return open_dataset(name, {}, threads);
  const std::filesystem::path kept = folder.empty() ? folder : folder / (name + ".npz");
  if (!kept.empty() && std::filesystem::exists(kept)) return open_dataset(kept.string(), {}, threads);
  Dataset points = open_dataset(name, {}, threads);
  NeighbourGraph built =
      neighbour_graph(nearest_neighbours(*points.features.dense(), {.k = kNeighbours}, threads, progress),
                      {.kernel = dataset.self_tuning ? Kernel::self_tuning : Kernel::rbf}, threads);
  points.graph = std::move(built.graph);
  points.weights = std::move(built.weights);
  if (dataset.self_tuning) remove_features(points);
  if (!kept.empty()) write_npz(points, kept);
  return points;
}

// Deterministic on a split that came with the data: then one run says it all.
std::int64_t runs_of(const PaperRow& row, const PaperDataset& dataset, std::int64_t most) {
  const std::string model = model_of(row, dataset.name).model;
  const bool has_seed = !model.empty() && find_model(model).loss != kNoLoss;
  if (!has_seed && split_of(row, dataset) == "file") return 1;
  return most > 0 ? std::min(most, dataset.runs) : dataset.runs;
}

struct Plan {
  std::map<std::string, Dataset> data;                               // by name
  std::map<std::pair<std::string, std::string>, std::string> terms;  // by row and data set
  std::vector<TableJob> jobs;
};

Plan plan_of(const PaperTable& table, const ReproduceOptions& options, const TableRecord& record,
             Threads& threads, const ProgressCallback& progress) {
  Plan plan;
  for (const PaperDataset& dataset : table.datasets) {
    if (!chosen(options.datasets, dataset.name)) continue;
    const Dataset& data =
        plan.data.emplace(dataset.name, open(dataset, options.folder, threads, progress)).first->second;
    std::vector<std::vector<const PaperRow*>> groups;  // that share their training, for it has the same terms
    const auto terms = [&](const PaperRow& row) -> std::string& {
      return plan.terms[{std::string(row.number), std::string(dataset.name)}];
    };
    for (const PaperRow& row : table.rows) {
      if (!chosen(options.rows, row.number)) continue;
      terms(row) = terms_of(row, dataset, data);
      const auto group =
          std::ranges::find_if(groups, [&](const auto& g) { return terms(*g.front()) == terms(row); });
      if (group == groups.end()) {
        groups.push_back({&row});
      } else {
        group->push_back(&row);
      }
    }
    for (const auto& group : groups) {
      for (std::int64_t seed = 0; seed < runs_of(*group.front(), dataset, options.runs); ++seed) {
        TableJob job{.dataset = &dataset, .data = &data, .seed = static_cast<std::uint32_t>(seed)};
        for (const PaperRow* row : group) {
          const std::string number(row->number), name(dataset.name);
          if (!record.find(number, name, job.seed, plan.terms.at({number, name}))) job.rows.push_back(row);
        }
        if (!job.rows.empty()) plan.jobs.push_back(std::move(job));
      }
    }
  }
  std::ranges::stable_sort(plan.jobs, std::greater(),
                           [](const TableJob& job) { return job.data->graph.arcs(); });
  return plan;
}

void run(const Plan& plan, std::int64_t before, const std::string& stage, TableRecord& record,
         Threads& threads, const ProgressCallback& progress) {
  std::int64_t total = before;
  for (const TableJob& job : plan.jobs) total += std::ssize(job.rows);
  SharedProgress shared(progress, {.stage = stage, .done = before, .total = total, .unit = "runs"});
  side_by_side(std::ssize(plan.jobs), threads, [&](std::int64_t i, std::int64_t, Threads& thread) {
    const TableJob& job = plan.jobs[at(i)];
    const std::string name =
        fmt::format("row {} on {}, seed {}", job.rows.front()->number, job.dataset->title, job.seed);
    const auto go_on = [&] { return shared.go_on(name); };
    if (!go_on()) return false;
    std::vector<TableRun> runs;
    try {
      runs = run_job(job, thread, go_on);
    } catch (const Interrupted&) {
      return false;
    } catch (const Error& error) {
      fail("{}: {}", name, error.what());
    }
    shared.done(std::ssize(runs), [&] {
      for (TableRun& run : runs) {
        run.terms = plan.terms.at({run.row, run.dataset});
        record.add(std::move(run));
      }
    });
    return true;
  });
  if (shared.stopped()) throw Interrupted();
}

std::vector<TableCell> cells_of(const PaperTable& table, const ReproduceOptions& options, const Plan& plan,
                                const TableRecord& record) {
  std::vector<TableCell> cells;
  for (const PaperRow& row : table.rows) {
    for (std::size_t i = 0; i < table.datasets.size(); ++i) {
      const PaperDataset& dataset = table.datasets[i];
      if (!chosen(options.rows, row.number) || !chosen(options.datasets, dataset.name)) continue;
      const std::string number(row.number), name(dataset.name);
      TableCell cell{.row = &row, .dataset = &dataset, .paper = row.figures[i]};
      for (std::int64_t seed = 0; seed < runs_of(row, dataset, options.runs); ++seed) {
        if (const TableRun* run =
                record.find(number, name, static_cast<std::uint32_t>(seed), plan.terms.at({number, name})))
          cell.runs.push_back(*run);
      }
      cell.test = spread_of(cell.runs, &TableRun::test_accuracy);
      cell.validation = spread_of(cell.runs, &TableRun::validation_accuracy);
      cell.seconds = spread_of(cell.runs, &TableRun::seconds);
      cells.push_back(std::move(cell));
    }
  }
  return cells;
}

}  // namespace

std::vector<std::string> parse_rows(const PaperTable& table, const std::string& text) {
  std::vector<std::string> numbers;
  const auto place = [&](std::string_view number) {
    const auto found = std::ranges::find_if(table.rows, [&](const PaperRow& row) {
      return row.number == number || row.number == fmt::format("0{}", number);
    });
    if (found == table.rows.end())
      fail("--rows {}: {} has no row '{}'; there are {} to {}, as in 07-09,11", text, table.name, number,
           table.rows.front().number, table.rows.back().number);
    return found - table.rows.begin();
  };
  for (const std::string_view part : split_at(text, ',')) {
    const std::size_t dash = part.find('-');
    const auto first = place(part.substr(0, dash));
    const auto last = dash == part.npos ? first : place(part.substr(dash + 1));
    if (last < first) fail("--rows {}: '{}' goes backwards", text, part);
    for (auto i = first; i <= last; ++i) numbers.emplace_back(table.rows[at(i)].number);
  }
  return numbers;
}

std::vector<std::string> parse_datasets(const PaperTable& table, const std::string& text) {
  std::vector<std::string> all;
  for (const PaperDataset& dataset : table.datasets) all.emplace_back(dataset.name);
  std::vector<std::string> names = split_at(text, ',');
  for (const std::string& name : names) {
    if (std::ranges::find(all, name) == all.end())
      fail("--datasets {}: {} has no data set '{}'; choose from: {}", text, table.name, name,
           join(all, ", "));
  }
  return names;
}

Reproduction reproduce(const PaperTable& table, const ReproduceOptions& options, Threads& threads,
                       const ProgressCallback& progress) {
  const Stopwatch watch;
  TableRecord record(options.folder.empty() ? std::filesystem::path() : options.folder / "runs.jsonl",
                     std::string(table.name), options.recorded ? RecordUse::read : RecordUse::extend);
  const Plan plan = plan_of(table, options, record, threads, progress);
  Reproduction result;
  for (const TableCell& cell : cells_of(table, options, plan, record))
    result.runs_before += std::ssize(cell.runs);
  if (!options.recorded) run(plan, result.runs_before, std::string(table.name), record, threads, progress);
  result.cells = cells_of(table, options, plan, record);
  result.seconds = watch.seconds();
  result.threads = threads.count();
  return result;
}

std::int64_t Reproduction::runs() const {
  std::int64_t runs = 0;
  for (const TableCell& cell : cells) runs += std::ssize(cell.runs);
  return runs;
}

}  // namespace heatfront
