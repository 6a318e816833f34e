// SPDX-License-Identifier: MIT
#include "heatfront/flow/row_kernel.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <type_traits>
#include <utility>

#include "heatfront/base/simd.h"

namespace heatfront {
namespace {

// Columns are worked on in panels that fit the registers: W numbers, a multiple of 4.
constexpr std::int64_t kWidestRowPanel = 40;

// Longer rows are summed in parts, and the parts in double precision: a thousand neighbours of the same temperature would
// otherwise round the same way a thousand times.
constexpr ArcId kArcsAPart = 32;

constexpr std::size_t kLinesAhead = 48;  // cache lines of neighbours' rows on their way at once

// The accumulators of a panel: whole words of eight, and one of four where W leaves a rest.
template <std::size_t W>
struct Panel {
  static constexpr std::size_t kEights = W / 8;
  static constexpr bool kFour = W % 8 != 0;
  Vector8 eights[kEights > 0 ? kEights : 1] = {};
  Vector4 four = {};

  // each(vector, offset) for every vector of the panel, `offset` numbers into a row.
  template <class Each>
  [[gnu::always_inline]] void for_vectors(const Each& each) {
    for (std::size_t j = 0; j < kEights; ++j) each(eights[j], 8 * j);
    if constexpr (kFour) each(four, 8 * kEights);
  }
  [[gnu::always_inline]] void add(Real factor, const Real* x) {
    for_vectors([&](auto& vector, std::size_t offset) __attribute__((always_inline)) {
      std::remove_reference_t<decltype(vector)> value;
      load(x + offset, value);
      vector += factor * value;
    });
  }
  [[gnu::always_inline]] void add(const Real* x) {
    for_vectors([&](auto& vector, std::size_t offset) __attribute__((always_inline)) {
      std::remove_reference_t<decltype(vector)> value;
      load(x + offset, value);
      vector += value;
    });
  }
  [[gnu::always_inline]] void add(const Panel& other) {
    for (std::size_t j = 0; j < kEights; ++j) eights[j] += other.eights[j];
    if constexpr (kFour) four += other.four;
  }
};

// The sum of the parts of a long row.
template <std::size_t W>
struct LongSum {
  double values[W] = {};

  [[gnu::always_inline]] void add(Panel<W>& part) {
    Real numbers[W];
    part.for_vectors([&](auto& vector, std::size_t offset)
                         __attribute__((always_inline)) { store(vector, numbers + offset); });
    for (std::size_t j = 0; j < W; ++j) values[j] += static_cast<double>(numbers[j]);
  }
  [[gnu::always_inline]] void round_to(Panel<W>& whole) const {
    Real numbers[W];
    for (std::size_t j = 0; j < W; ++j) numbers[j] = static_cast<Real>(values[j]);
    whole.for_vectors([&](auto& vector, std::size_t offset)
                          __attribute__((always_inline)) { load(numbers + offset, vector); });
  }
};

struct RowStep {
  Real product, own, gamma, delta;
};

template <std::size_t W>
[[gnu::always_inline]] inline void finish_row(const RowStep& step, Panel<W>& panel, const Real* x, Real* y,
                                              Real* sum) {
  panel.for_vectors([&](auto& product, std::size_t offset) __attribute__((always_inline)) {
    std::remove_reference_t<decltype(product)> own, out, total;
    load(x + offset, own);
    load(y + offset, out);
    out = step.product * product + step.own * own + step.gamma * out;
    store(out, y + offset);
    if (sum == nullptr) return;
    load(sum + offset, total);
    total += step.delta * out;
    store(total, sum + offset);
  });
}

// Asks for the row that an arc some way ahead points to, so that it is there when its turn comes.
template <std::size_t W>
[[gnu::always_inline]] inline void fetch_ahead(const RowKernel& kernel, ConstMatrixView x, ArcId arc,
                                               ArcId last) {
  constexpr std::size_t kLine = 64 / sizeof(Real);
  constexpr auto kArcsAhead = static_cast<ArcId>(kLinesAhead / ((W + kLine - 1) / kLine));
  const Real* row = x.data + kernel.targets[std::min(arc + kArcsAhead, last)] * x.stride;
  for (std::size_t j = 0; j < W; j += kLine) __builtin_prefetch(row + j);
}

// The views are already moved to the first column of the panel. The kernel is a copy, because the compiler
// has to think that storing to y changes whatever it knows by reference.
template <std::size_t W, bool weighted, bool far_apart>
[[gnu::always_inline]] inline void panel_rows(const RowKernel kernel, const Step& step, ConstMatrixView x,
                                              MatrixView y, MatrixView sum, std::int64_t begin,
                                              std::int64_t end) {
  const Real alpha = static_cast<Real>(step.alpha), beta = static_cast<Real>(step.beta);
  const Real gamma = static_cast<Real>(step.gamma), delta = static_cast<Real>(step.delta);
  const std::int64_t stride = x.stride;
  const ArcId last = kernel.offsets[end] - 1;
  // Two neighbours at a time, even ones and odd ones: an addition takes longer than to load the next one. All widths
  // add up in the same order, so that columns come out the same alone and in company.
  constexpr std::size_t kAtOnce = 2;
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t u = kernel.order == nullptr ? i : kernel.order[i];
    Panel<W> panels[kAtOnce];
    RowStep row{.product = 0, .own = beta, .gamma = gamma, .delta = delta};
    if (kernel.clamped == nullptr || kernel.clamped[u] == 0) {
      const auto add = [&](ArcId arc, Panel<W> & panel) __attribute__((always_inline)) {
        if constexpr (far_apart) fetch_ahead<W>(kernel, x, arc, last);
        const Real* neighbour = x.data + kernel.targets[arc] * stride;
        if constexpr (weighted) {
          panel.add(kernel.weights[arc], neighbour);
        } else {
          panel.add(neighbour);
        }
      };
      ArcId arc = kernel.offsets[u];
      const ArcId row_end = kernel.offsets[u + 1];
      const auto sum_until = [&](ArcId part_end) __attribute__((always_inline)) {
        for (; arc + static_cast<ArcId>(kAtOnce) <= part_end; arc += static_cast<ArcId>(kAtOnce)) {
          unrolled<kAtOnce>([&](auto part) __attribute__((always_inline)) {
            add(arc + static_cast<ArcId>(part()), panels[part]);
          });
        }
        for (; arc < part_end; ++arc) add(arc, panels[0]);
        unrolled<kAtOnce - 1>([&](auto part)
                                  __attribute__((always_inline)) { panels[0].add(panels[part + 1]); });
      };
      if (row_end - arc <= kArcsAPart) {
        sum_until(row_end);
      } else {
        LongSum<W> whole;
        while (arc < row_end) {
          sum_until(std::min(arc + kArcsAPart, row_end));
          whole.add(panels[0]);
          for (Panel<W>& panel : panels) panel = {};
        }
        whole.round_to(panels[0]);
      }
      row.product = alpha * kernel.scale[u];
      row.own -= alpha * kernel.shift[u];
    }
    finish_row(row, panels[0], x.data + u * stride, y.data + u * stride,
               sum.data == nullptr ? nullptr : sum.data + u * stride);
  }
}

template <bool weighted, bool far_apart>
[[gnu::always_inline]] inline void choose_panel(std::int64_t width, const RowKernel& kernel, const Step& step,
                                                ConstMatrixView x, MatrixView y, MatrixView sum,
                                                std::int64_t begin, std::int64_t end) {
  static_assert(kWidestRowPanel == 40);
  switch (width) {
    case 4: return panel_rows<4, weighted, far_apart>(kernel, step, x, y, sum, begin, end);
    case 8: return panel_rows<8, weighted, far_apart>(kernel, step, x, y, sum, begin, end);
    case 12: return panel_rows<12, weighted, far_apart>(kernel, step, x, y, sum, begin, end);
    case 16: return panel_rows<16, weighted, far_apart>(kernel, step, x, y, sum, begin, end);
    case 20: return panel_rows<20, weighted, far_apart>(kernel, step, x, y, sum, begin, end);
    case 24: return panel_rows<24, weighted, far_apart>(kernel, step, x, y, sum, begin, end);
    case 28: return panel_rows<28, weighted, far_apart>(kernel, step, x, y, sum, begin, end);
    case 32: return panel_rows<32, weighted, far_apart>(kernel, step, x, y, sum, begin, end);
    case 36: return panel_rows<36, weighted, far_apart>(kernel, step, x, y, sum, begin, end);
    default: return panel_rows<40, weighted, far_apart>(kernel, step, x, y, sum, begin, end);
  }
}

HEATFRONT_CLONES void apply_panel(std::int64_t width, const RowKernel& kernel, const Step& step,
                                  ConstMatrixView x, MatrixView y, MatrixView sum, std::int64_t begin,
                                  std::int64_t end) {
  if (kernel.weights == nullptr && kernel.far_apart) {
    choose_panel<false, true>(width, kernel, step, x, y, sum, begin, end);
  } else if (kernel.weights == nullptr) {
    choose_panel<false, false>(width, kernel, step, x, y, sum, begin, end);
  } else if (kernel.far_apart) {
    choose_panel<true, true>(width, kernel, step, x, y, sum, begin, end);
  } else {
    choose_panel<true, false>(width, kernel, step, x, y, sum, begin, end);
  }
}

[[gnu::always_inline]] inline Real dot(const Real* a, const Real* x, std::int64_t stride) {
  Vector4 sum = {};
  for (std::int64_t j = 0; j < stride; j += 4) {
    Vector4 left, right;
    load(a + j, left);
    load(x + j, right);
    sum += left * right;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

HEATFRONT_CLONES void add_gradients(const RowKernel& kernel, double scale, ConstMatrixView a,
                                    ConstMatrixView x, Real* entries, Real* diagonal, std::int64_t begin,
                                    std::int64_t end) {
  const Real factor = static_cast<Real>(scale);
  const std::int64_t stride = x.stride;
  for (std::int64_t u = begin; u < end; ++u) {
    if (kernel.clamped != nullptr && kernel.clamped[u] != 0) continue;
    const Real* own = a.data + u * stride;
    for (ArcId arc = kernel.offsets[u]; arc < kernel.offsets[u + 1]; ++arc) {
      entries[arc] += factor * dot(own, x.data + kernel.targets[arc] * stride, stride);
    }
    diagonal[u] += factor * dot(own, x.data + u * stride, stride);
  }
}

}  // namespace

void apply_rows(const RowKernel& kernel, const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum,
                std::int64_t begin, std::int64_t end) {
  assert(x.stride % 4 == 0 && y.stride == x.stride && (sum.data == nullptr || sum.stride == x.stride));
  for (std::int64_t first = 0; first < x.stride; first += kWidestRowPanel) {
    const std::int64_t width = std::min(kWidestRowPanel, x.stride - first);
    x.data += first == 0 ? 0 : kWidestRowPanel;
    y.data += first == 0 ? 0 : kWidestRowPanel;
    if (sum.data != nullptr) sum.data += first == 0 ? 0 : kWidestRowPanel;
    apply_panel(width, kernel, step, x, y, sum, begin, end);
  }
}

double roundings_of_sum(ArcId arcs) {
  constexpr double kProduct = 1, kTwoSums = 1, kParts = 1;
  const double added = static_cast<double>(std::min(arcs, kArcsAPart)) / 2;  // to one of two sums
  return added + kProduct + kTwoSums + (arcs > kArcsAPart ? kParts : 0);
}

void add_row_gradients(const RowKernel& kernel, double scale, ConstMatrixView a, ConstMatrixView x,
                       Real* entries, Real* diagonal, std::int64_t begin, std::int64_t end) {
  add_gradients(kernel, scale, a, x, entries, diagonal, begin, end);
}

}  // namespace heatfront
