// SPDX-License-Identifier: MIT
// Arrays as numpy saves them, and what we make of them. Any byte order; row- or column-major; values come out row-major.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"
#include "heatfront_io/arrays/npy_header.h"

namespace heatfront {

class NpyArray {
 public:
  // The elements begin at header.length of `bytes`. Throws Error beginning with `where` unless they fit the header.
  NpyArray(NpyHeader header, std::string bytes, std::string where);

  const std::string& where() const { return where_; }  // file and name, for messages
  const NpyType& type() const { return header_.type; }
  std::span<const std::int64_t> shape() const { return header_.shape; }
  std::size_t dimensions() const { return header_.shape.size(); }
  std::int64_t count() const { return header_.count; }
  bool fortran_order() const { return header_.fortran_order; }
  std::string_view elements() const { return std::string_view(bytes_).substr(header_.length); }

 private:
  std::string where_;
  NpyHeader header_;
  std::string bytes_;
};

// `npy`: header and elements.
NpyArray npy_array(std::string npy, std::string where);

// An .npy file by itself.
NpyArray read_npy(const std::filesystem::path& path);

// From any integers; from floats if they are whole. A value that does not fit is an Error.
std::vector<std::int32_t> to_int32(const NpyArray& array);
std::vector<std::int64_t> to_int64(const NpyArray& array);

// From any numbers, rounded.
std::vector<double> to_doubles(const NpyArray& array);
std::vector<Real> to_reals(const NpyArray& array);
Matrix to_matrix(const NpyArray& array);  // of two dimensions

// values.size() numbers from entry `begin` on, of an array in row-major order.
void copy_reals(const NpyArray& array, std::int64_t begin, std::span<Real> values);

// UTF-8, from text of either kind, without the zeros that fill it up.
std::vector<std::string> to_strings(const NpyArray& array);

}  // namespace heatfront
