// SPDX-License-Identifier: MIT
#include "heatfront_io/arrays/npy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/files/number_bytes.h"

namespace heatfront {
namespace {

NumberType number_type(const NpyArray& array) {
  const NpyType& type = array.type();
  char kind = 0;
  switch (type.kind) {
    case NpyType::Kind::boolean: kind = 'b'; break;
    case NpyType::Kind::signed_integer: kind = 'i'; break;
    case NpyType::Kind::unsigned_integer: kind = 'u'; break;
    case NpyType::Kind::real: kind = 'f'; break;
    default: fail("{} holds text; numbers are needed", array.where());
  }
  return {kind, at(type.size), type.big_endian};
}

// put(value, i) for every element; i counts them in row-major order.
template <class Put>
void for_each_element(const NpyArray& array, const Put& put) {
  const NumberType type = number_type(array);
  if (!array.fortran_order() || array.dimensions() < 2) return for_each_number(array.elements(), type, put);
  if (array.dimensions() > 2) {
    fail("{} is in Fortran order with {} dimensions; save it in C order", array.where(), array.dimensions());
  }
  const std::size_t rows = at(array.shape()[0]), cols = at(array.shape()[1]);
  for_each_number(array.elements(), type,
                  [&](auto value, std::size_t k) { put(value, k % rows * cols + k / rows); });
}

template <class To, class From>
bool fits(From value) {
  if constexpr (std::is_integral_v<From>) {
    return std::in_range<To>(value);
  } else {
    // −min is a power of two, so exact in every floating-point type.
    constexpr auto kLowest = static_cast<From>(std::numeric_limits<To>::min());
    return value >= kLowest && value < -kLowest && std::trunc(value) == value;
  }
}

template <class To>
std::vector<To> to_integers(const NpyArray& array) {
  std::vector<To> values(at(array.count()));
  for_each_element(array, [&](auto value, std::size_t i) {
    if (!fits<To>(value)) {
      fail("{}: entry {} is {}; it must be a whole number from {} to {}", array.where(), i, value,
           std::numeric_limits<To>::min(), std::numeric_limits<To>::max());
    }
    values[i] = static_cast<To>(value);
  });
  return values;
}

template <class To>
void fill(const NpyArray& array, To* values) {
  for_each_element(array, [&](auto value, std::size_t i) { values[i] = static_cast<To>(value); });
}

template <class To>
std::vector<To> filled(const NpyArray& array) {
  std::vector<To> values(at(array.count()));
  fill(array, values.data());
  return values;
}

// Entry i of a text array, which begins at `element`.
std::string text_of(const NpyArray& array, std::string_view element, std::size_t i) {
  std::string text;
  if (array.type().kind == NpyType::Kind::bytes) {
    text = element;
    if (!code_points(text)) fail("{}: entry {} is not UTF-8 text", array.where(), i);
  } else {
    for (std::size_t k = 0; k < element.size(); k += 4) {
      char32_t c = 0;
      for_each_stored<std::uint32_t>(element.substr(k, 4), array.type().big_endian,
                                     [&](std::uint32_t value, std::size_t) { c = value; });
      if (!is_code_point(c)) fail("{}: entry {} holds {:#x}, which is no character", array.where(), i, +c);
      append_utf8(text, c);
    }
  }
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

}  // namespace

NpyArray::NpyArray(std::string npy, std::string where)
    : where_(std::move(where)), header_(parse_npy_header(npy, where_)), npy_(std::move(npy)) {
  check_npy_payload(header_, npy_.size() - header_.length, where_);
}

NpyArray::NpyArray(NpyHeader header, std::string elements, std::string where)
    : where_(std::move(where)), header_(std::move(header)), npy_(std::move(elements)) {
  header_.length = 0;
  check_npy_payload(header_, npy_.size(), where_);
}

NpyArray read_npy(const std::filesystem::path& path) { return {read_data(path), path.string()}; }

std::vector<std::int32_t> to_int32(const NpyArray& array) { return to_integers<std::int32_t>(array); }
std::vector<std::int64_t> to_int64(const NpyArray& array) { return to_integers<std::int64_t>(array); }

std::vector<double> to_doubles(const NpyArray& array) { return filled<double>(array); }
std::vector<Real> to_reals(const NpyArray& array) { return filled<Real>(array); }

Matrix to_matrix(const NpyArray& array) {
  if (array.dimensions() != 2) {
    fail("{} has shape ({}); a matrix of two dimensions is needed", array.where(), join(array.shape(), ", "));
  }
  Matrix matrix(array.shape()[0], array.shape()[1]);
  fill(array, matrix.view().data);
  return matrix;
}

std::vector<std::string> to_strings(const NpyArray& array) {
  if (!array.type().is_text()) fail("{} holds numbers; text is needed", array.where());
  if (array.dimensions() > 1) fail("{} has {} dimensions; a list has one", array.where(), array.dimensions());
  std::vector<std::string> texts;
  const std::size_t size = at(array.type().size);
  for (std::size_t i = 0; i < at(array.count()); ++i) {
    texts.push_back(text_of(array, array.elements().substr(i * size, size), i));
  }
  return texts;
}

}  // namespace heatfront
