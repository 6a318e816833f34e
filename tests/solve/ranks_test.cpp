// SPDX-License-Identifier: MIT
// Every solver of the table with its rows shared out among ranks: the seam of operator.h holds if the answer is the plain one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "heatfront/base/random.h"
#include "heatfront/solve/solvers.h"
#include "support/error_text.h"
#include "support/precision.h"
#include "support/reference.h"
#include "support/split_operator.h"

namespace heatfront {
namespace {

using test::RandomProblem;
using test::SplitFault;
using test::SplitOperator;

constexpr double kLambda = 1.2, kFlowTime = 3;
constexpr NodeId kSplitNodes = 60;
constexpr std::int64_t kSplitColumns = 5;

struct Partition {
  std::string name;
  int ranks;
  std::function<int(NodeId u, bool known)> owner;
};

const std::vector<Partition>& partitions() {
  static const std::vector<Partition> kPartitions = {
      {"two halves", 2, [](NodeId u, bool) { return u < kSplitNodes / 2 ? 0 : 1; }},
      {"three uneven blocks", 3, [](NodeId u, bool) { return u < 5    ? 0
                                                             : u < 47 ? 1
                                                                      : 2; }},
      {"an empty rank in the middle", 3, [](NodeId u, bool) { return u < 20 ? 0 : 2; }},
      {"an empty first rank", 2, [](NodeId, bool) { return 1; }},
      {"scattered", 3,
       [](NodeId u, bool) { return static_cast<int>(Random(5).below(3, static_cast<std::uint64_t>(u))); }},
      {"known nodes on one rank, all others on the other", 2,
       [](NodeId, bool known) { return known ? 0 : 1; }},
  };
  return kPartitions;
}

struct SplitCase {
  const RandomProblem& problem;
  LaplacianOptions laplacian;
  bool clamped;
  SolveOptions options;
};

struct SplitAnswer {
  Matrix state, adjoint;
  OperatorGradient gradient;
  SolveReport report;
};

// Forward, and backward with ∂L/∂A where there is a trace; only forward to the steady state. In the operator's coordinates.
SolveReport run_solver(const SolverEntry& entry, const SolveOptions& options, const Operator& a,
                       MatrixView state, MatrixView adjoint, OperatorGradient& gradient) {
  if (entry.for_steady_state != nullptr) return entry.for_steady_state(options)->solve(a, state);
  const std::unique_ptr<TimeSolver> solver = entry.for_time(options);
  Trace trace;
  const SolveReport report = solver->solve(a, kFlowTime, state, &trace);
  solver->backward(a, kFlowTime, trace, adjoint, &gradient);
  return report;
}

class Comparison {
 public:
  Comparison(const SolverEntry& entry, const SplitCase& of)
      : entry_(entry),
        case_(of),
        laplacian_(of.problem.graph, of.problem.weights, of.laplacian, kLambda, threads_),
        other_(RandomProblem(77, kSplitNodes, kSplitColumns).front) {
    if (of.clamped) laplacian_.clamp(of.problem.known);
    laplacian_.lowest();
  }

  SplitAnswer plain() {
    SplitAnswer answer{of().problem.front, other_, laplacian_.zero_gradient(), {}};
    answer.report =
        run_solver(entry_, of().options, laplacian_, answer.state, answer.adjoint, answer.gradient);
    return answer;
  }

  SplitAnswer on_ranks(const Partition& partition, const SplitFault& fault = {}) {
    std::vector<int> owners;
    for (NodeId u = 0; u < kSplitNodes; ++u)
      owners.push_back(
          partition.owner(u, std::ranges::find(of().problem.known, u) != of().problem.known.end()));
    SplitAnswer answer{of().problem.front, other_, laplacian_.zero_gradient(), {}};
    std::vector<SolveReport> reports(static_cast<std::size_t>(partition.ranks));
    test::run_on_ranks(partition.ranks, [&](int rank, test::Meeting& meeting) {
      const SplitOperator a(laplacian_, kLambda, of().laplacian, owners, rank, meeting, fault);
      Matrix state = a.part_of(of().problem.front), adjoint = a.part_of(other_);
      OperatorGradient gradient = a.zero_gradient();
      reports[static_cast<std::size_t>(rank)] = run_solver(entry_, of().options, a, state, adjoint, gradient);
      a.put_back(state, answer.state);
      a.put_back(adjoint, answer.adjoint);
      a.put_back(gradient, answer.gradient);
    });
    answer.report = reports.front();
    if (!fault.sums_alone) {
      for (const SolveReport& report : reports) expect_same(report, answer.report);
    }
    return answer;
  }

 private:
  const SplitCase& of() const { return case_; }

  // Every rank reports the same, to the bit.
  static void expect_same(const SolveReport& x, const SolveReport& y) {
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    EXPECT_EQ(x.products, y.products);
    EXPECT_EQ(x.steps, y.steps);
    EXPECT_EQ(x.rejected, y.rejected);
    EXPECT_EQ(x.reached, y.reached);
    EXPECT_EQ(x.column_bounds, y.column_bounds);
    EXPECT_TRUE(same(x.error_bound, y.error_bound));
    EXPECT_TRUE(same(x.error_estimate, y.error_estimate));
    EXPECT_TRUE(same(x.residual, y.residual));
    EXPECT_TRUE(same(x.least_residual, y.least_residual));
    EXPECT_TRUE(same(x.largest_move, y.largest_move));
  }

  const SolverEntry& entry_;
  SplitCase case_;
  Threads threads_{1};
  Laplacian laplacian_;
  Matrix other_;
};

// The largest difference, relative to the largest number of y.
double difference(std::span<const Real> x, std::span<const Real> y) {
  double most = 0, size = 1e-30;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double off = std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i]));
    most = off <= most ? most : off;  // what is no number stays
    size = std::max(size, std::abs(static_cast<double>(y[i])));
  }
  return std::isnan(most) ? std::numeric_limits<double>::infinity() : most / size;
}

std::span<const Real> numbers_of(const Matrix& x) { return {x.view().data, at(x.rows() * x.stride())}; }

double difference(const SplitAnswer& x, const SplitAnswer& y) {
  return std::max({difference(numbers_of(x.state), numbers_of(y.state)),
                   difference(numbers_of(x.adjoint), numbers_of(y.adjoint)),
                   difference(x.gradient.entries, y.gradient.entries),
                   difference(x.gradient.diagonal, y.gradient.diagonal)});
}

class EverySolverOnRanks : public testing::TestWithParam<SolverEntry> {
 protected:
  bool low_order() const { return std::ranges::count(kLowOrder, GetParam().name) > 0; }
  double tolerance() const { return low_order() ? 1e-2 : test::kDouble ? 1e-7 : 1e-5; }

  // What answers may differ by: of the steady state the tolerance is that of the residual, which is not yet an error.
  double close() const { return (GetParam().for_time != nullptr ? 1 : 10) * tolerance(); }
  double far() const { return 10 * close(); }

  // Every kind of Laplacian, free and clamped; every other one with weights.
  template <class Check>
  void for_each_case(const Check& check) const {
    for (const LaplacianEntry& kind : laplacian_kinds()) {
      const bool weighted = (&kind - laplacian_kinds().data()) % 2 == 0;
      const RandomProblem problem(weighted ? 3 : 4, kSplitNodes, kSplitColumns, 6);
      for (bool clamped : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << kind.name << (weighted ? ", weights" : "") << (clamped ? ", clamped" : ""));
        check(SplitCase{problem, {kind.kind, 0.8}, clamped, {.tolerance = tolerance()}});
      }
    }
  }

 private:
  static constexpr std::string_view kLowOrder[] = {"euler", "heun", "implicit-euler", "crank-nicolson"};
};

std::string name_on_ranks(const testing::TestParamInfo<SolverEntry>& info) {
  std::string name(info.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Table, EverySolverOnRanks, testing::ValuesIn(solvers().begin(), solvers().end()),
                         name_on_ranks);

TEST_P(EverySolverOnRanks, GivesThePlainAnswerAndItsVeryBitsWhereTheTableSaysSo) {
  for_each_case([&](const SplitCase& of) {
    Comparison comparison(GetParam(), of);
    const SplitAnswer plain = comparison.plain();
    for (const Partition& partition : partitions()) {
      SCOPED_TRACE(partition.name);
      const SplitAnswer split = comparison.on_ranks(partition);
      EXPECT_EQ(split.report.reached, plain.report.reached);
      if (GetParam().same_bits_on_ranks) {
        EXPECT_EQ(difference(split, plain), 0);
        EXPECT_EQ(split.report.products, plain.report.products);
        EXPECT_NEAR(split.report.error_bound, plain.report.error_bound, 1e-10 * plain.report.error_bound);
      } else {
        EXPECT_LE(difference(split, plain), close());
      }
    }
  });
}

// Fixed steps, where there are such, are as long as the options say.
TEST_P(EverySolverOnRanks, KeepsItsBitsWithGivenSteps) {
  if (!GetParam().same_bits_on_ranks) GTEST_SKIP() << "the table promises the tolerance only";
  for_each_case([&](SplitCase of) {
    of.options.step = entry_of(of.laplacian.kind).by_degree ? 0.3 : 0.04;
    Comparison comparison(GetParam(), of);
    const SplitAnswer plain = comparison.plain();
    for (const Partition& partition : partitions())
      EXPECT_EQ(difference(comparison.on_ranks(partition), plain), 0) << partition.name;
  });
}

// A wrong answer, ranks that no longer do the same, or no end within four times the work.
bool goes_wrong(Comparison& comparison, const Partition& partition, SplitFault fault, double far) {
  const SplitAnswer plain = comparison.plain();
  fault.products_before_error = static_cast<int>(4 * plain.report.products) + 100;
  try {
    return difference(comparison.on_ranks(partition, fault), plain) > far;
  } catch (const test::RanksParted&) {
    return true;
  } catch (const Error&) {
    return true;
  }
}

TEST_P(EverySolverOnRanks, GoesWrongWithoutTheRowsOfOtherRanks) {
  const RandomProblem problem(3, kSplitNodes, kSplitColumns, 6);
  const SplitCase of{problem, {}, true, {.tolerance = tolerance()}};
  Comparison comparison(GetParam(), of);
  EXPECT_TRUE(goes_wrong(comparison, partitions()[0], {.keeps_ghosts_cold = true}, far()));
  EXPECT_TRUE(goes_wrong(comparison, partitions()[4], {.keeps_ghosts_cold = true}, far()));
}

TEST_P(EverySolverOnRanks, GoesWrongWithoutSumsOverRanksWhereItNeedsThem) {
  if (GetParam().same_bits_on_ranks) GTEST_SKIP() << "sums only say how good the answer is";
  const RandomProblem problem(3, kSplitNodes, kSplitColumns, 6);
  const SplitCase of{problem, {}, true, {.tolerance = tolerance()}};
  Comparison comparison(GetParam(), of);
  EXPECT_TRUE(goes_wrong(comparison, partitions()[1], {.sums_alone = true}, far()));
}

TEST_P(EverySolverOnRanks, EndsOnAllRanksWhenOneFails) {
  const RandomProblem problem(3, kSplitNodes, kSplitColumns, 6);
  const SplitCase of{problem, {}, true, {.tolerance = tolerance()}};
  Comparison comparison(GetParam(), of);
  for (int products : {0, 2}) {
    EXPECT_EQ(
        test::error_text([&] { comparison.on_ranks(partitions()[1], {.products_before_error = products}); }),
        "a rank cannot go on");
  }
}

}  // namespace
}  // namespace heatfront
