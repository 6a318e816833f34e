// SPDX-License-Identifier: MIT
#include "arrays.h"

#include <algorithm>

namespace heatfront::python {

ArrayOut given(Matrix matrix) {
  auto owner = std::make_shared<const Matrix>(std::move(matrix));
  return lent(owner->view().data, {at(owner->rows()), at(owner->cols())}, owner, {owner->stride(), 1});
}

Matrix matrix_of(const MatrixIn& array) {
  Matrix matrix(static_cast<std::int64_t>(array.shape(0)), static_cast<std::int64_t>(array.shape(1)));
  std::copy_n(array.data(), array.size(), matrix.view().data);
  return matrix;
}

}  // namespace heatfront::python
