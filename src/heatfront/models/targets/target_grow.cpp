// SPDX-License-Identifier: MIT
#include "heatfront/models/targets/target_grow.h"

#include <algorithm>

#include "heatfront/models/linear_front/linear_fit.h"
#include "heatfront/models/targets/target_predictor.h"

namespace heatfront {

TargetModel grown(const TargetModel& model, const NewNodes& added, Threads& threads) {
  check(model, model.data.name);
  TargetModel result = model;
  result.data = grown(model.data, added, threads);
  result.fingerprint = fingerprint(result.data);
  if (result.entry().has_front) {
    LinearFit fit(result.data, result.data.weights, result.fronts, result.target_options().front.flow({}),
                  threads);
    fit.fit(front_targets(result.training_targets(), result.units));
    const ConstMatrixView values = fit.values();
    result.front = Matrix(values.rows, values.cols);
    for (std::int64_t u = 0; u < values.rows; ++u)
      std::ranges::copy(values.row(u), result.front.row(u).begin());
  }
  check(result, result.data.name);
  return result;
}

}  // namespace heatfront
