// SPDX-License-Identifier: MIT
// NumPy's arrays and ours. What comes in was made contiguous and of the right type in Python; what goes out lends memory where it can.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/sparse_matrix.h"

namespace heatfront::python {

namespace nb = nanobind;

template <class T>
using ArrayIn = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using MatrixIn = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using DoublesIn = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ArrayOut = nb::ndarray<nb::numpy, nb::ro>;

template <class T>
std::span<const T> span_of(const ArrayIn<T>& array) {
  return {array.data(), array.shape(0)};
}

template <class T>
std::vector<T> vector_of(const ArrayIn<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

// Memory that `owner` keeps, as an array that cannot be written to.
template <class T>
ArrayOut lent(const T* data, std::initializer_list<std::size_t> shape, std::shared_ptr<const void> owner,
              std::initializer_list<std::int64_t> strides = {}) {
  auto kept = std::make_unique<std::shared_ptr<const void>>(std::move(owner));
  const nb::capsule capsule(kept.release(),
                            [](void* p) noexcept { delete static_cast<std::shared_ptr<const void>*>(p); });
  return ArrayOut(data, shape, capsule, strides, nb::dtype<T>());
}

template <class T>
ArrayOut given(std::vector<T> values) {
  auto owner = std::make_shared<const std::vector<T>>(std::move(values));
  return lent(owner->data(), {owner->size()}, owner);
}

ArrayOut given(Matrix matrix);
Matrix matrix_of(const MatrixIn& array);

}  // namespace heatfront::python
