// SPDX-License-Identifier: MIT
// Wrong calls of the search for neighbours, and of the sparse matrices that it takes.
#include "heatfront/base/linear_algebra.h"
#include "heatfront_neighbours/heatfront_neighbours.h"
#include "support/wrong_calls.h"

namespace heatfront::test {
namespace neighbour_calls {

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
  const auto knn = [&](const std::string& name, const Matrix& points, int k) {
    calls.push_back({"Neighbours" + name, [=] { nearest_neighbours(points, {.k = k}, one_thread()); }});
  };
  knn("AsManyAsPoints", filled(3, 1, 1), 3);
  knn("FewerThanOne", filled(3, 1, 1), 0);
  knn("OfPointsThatAreNoNumbers", filled(3, 1, kNan), 1);
  knn("OfNoPoints", Matrix(), 1);
  const SparseMatrix good{
      .rows = 3, .cols = 2, .offsets = {0, 1, 2, 3}, .columns = {0, 1, 0}, .values = {1, 2, 3}};
  const auto sparse = [&](const std::string& name, const std::function<void(SparseMatrix&)>& spoil) {
    SparseMatrix matrix = good;
    spoil(matrix);
    calls.push_back(
        {"NeighboursOfSparsePoints" + name, [=] { nearest_neighbours(matrix, {.k = 1}, one_thread()); }});
    calls.push_back({"Features" + name, [=] { Features features(matrix); }});
    calls.push_back({"ACanonicalMatrix" + name, [=] { canonical(matrix); }});
  };
  sparse("WithAColumnBeyondTheLast", [](SparseMatrix& m) { m.columns[2] = 2; });
  sparse("WithANegativeColumn", [](SparseMatrix& m) { m.columns[0] = -1; });
  sparse("WithTooFewValues", [](SparseMatrix& m) { m.values.pop_back(); });
  sparse("WithTooFewOffsets", [](SparseMatrix& m) { m.offsets.pop_back(); });
  sparse("WithOffsetsThatDecrease", [](SparseMatrix& m) { m.offsets = {0, 3, 1, 3}; });
  sparse("WithOffsetsThatEndTooFar", [](SparseMatrix& m) { m.offsets.back() = 50; });
  sparse("WithoutOffsets", [](SparseMatrix& m) { m.offsets.clear(); });
  const auto joined = [&](const std::string& name, const std::function<void(Neighbours&)>& spoil) {
    Neighbours neighbours{.points = 3, .k = 1, .ids = {1, 0, 1}, .distances = {1, 1, 1}};
    spoil(neighbours);
    calls.push_back({"JoiningNeighbours" + name, [=] { neighbour_graph(neighbours, {}, one_thread()); }});
  };
  joined("ThatAreNone", [](Neighbours& n) { n.ids[2] = 3; });
  joined("ThatAreNegative", [](Neighbours& n) { n.ids[0] = -1; });
  joined("ThatAreTooFew", [](Neighbours& n) { n.ids.pop_back(); });
  joined("WithTooFewDistances", [](Neighbours& n) { n.distances.clear(); });
  joined("WithDistancesThatAreNoNumbers", [](Neighbours& n) { n.distances[1] = kNan; });
  joined("OfNoPoints", [](Neighbours& n) { n = {}; });
  return calls;
}

INSTANTIATE_TEST_SUITE_P(Neighbours, EveryWrongCall, testing::ValuesIn(wrong_calls()), name_of_call);

}  // namespace neighbour_calls
}  // namespace heatfront::test
