// SPDX-License-Identifier: MIT
// Elementwise steps on whole states, padding included: x and y have the same rows and stride.
#pragma once

#include <cstdint>
#include <span>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"

namespace heatfront {

// Rows padded to whole SIMD words of four numbers.
std::int64_t padded_width(std::int64_t cols);
Matrix padded_matrix(std::int64_t rows, std::int64_t cols);

// The same, and one cache line more where rows would otherwise begin a large power of two apart: a panel of such rows
// falls on few sets of a cache and drives itself out.
std::int64_t spread_width(std::int64_t cols);
Matrix spread_matrix(std::int64_t rows, std::int64_t cols);

// Makes `matrix` a zero matrix of the shape of `like`, without allocating where it has that shape already.
void shape_like(Matrix& matrix, ConstMatrixView like);

void copy(ConstMatrixView x, MatrixView y, Threads& threads);                    // y ← x
void scale(double a, MatrixView y, Threads& threads);                            // y ← a y
void add_scaled(double a, ConstMatrixView x, MatrixView y, Threads& threads);    // y ← y + a x
void scale_rows(std::span<const Real> factors, MatrixView y, Threads& threads);  // y_u ← factor_u y_u

// y ← y + x, where `carry` takes along what rounding leaves of the sums (Kahan); it begins at zero.
void add_compensated(ConstMatrixView x, MatrixView y, MatrixView carry, Threads& threads);

// With a factor for each column c; the padding is left alone.
// Σ x_j y_j and y ← y + a x, in double precision, of as many numbers as x has.
double dot(std::span<const Real> x, const double* y);
void add_to(double a, std::span<const Real> x, double* y);

void scale_columns(std::span<const double> a, MatrixView y, Threads& threads);  // y_c ← a_c y_c
void add_scaled_columns(std::span<const double> a, ConstMatrixView x, MatrixView y,
                        Threads& threads);  // y_c ← y_c + a_c x_c

// Dense layers: rows begin where they like.
void add_row(const Real* x, Real* y, std::int64_t width);                // y ← y + x
void add_to_rows(std::span<const Real> x, MatrixView y);                 // y_u ← y_u + x
void column_sums(ConstMatrixView x, MatrixView sums, Threads& threads);  // sums ← Σ_u x_u
void transpose(ConstMatrixView x, MatrixView y, Threads& threads);       // y ← xᵀ

}  // namespace heatfront
