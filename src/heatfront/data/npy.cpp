// SPDX-License-Identifier: MIT
#include "heatfront/data/npy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/data/input_file.h"
#include "heatfront/data/utf8.h"

namespace heatfront {
namespace {

static_assert(std::endian::native == std::endian::little);

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

struct Half {
  std::uint16_t bits;
};
struct Truth {
  std::uint8_t byte;
};

// Sign, 5 bits of exponent (bias 15), 10 of fraction.
float value_of(Half half) {
  const int exponent = half.bits >> 10 & 31;
  const auto fraction = static_cast<float>(half.bits & 1023);
  float size = std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 0) size = std::ldexp(fraction, -24);
  if (exponent == 31) {
    size = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  }
  return half.bits >> 15 ? -size : size;
}

std::uint8_t value_of(Truth truth) { return truth.byte != 0; }

template <class T>
T value_of(T value) {
  return value;
}

template <class T, bool kSwap>
auto load(const char* bytes) {
  char copy[sizeof(T)];
  std::memcpy(copy, bytes, sizeof(T));
  if constexpr (kSwap) std::reverse(copy, copy + sizeof(T));
  return value_of(std::bit_cast<T>(copy));
}

// put(value, i) for every element; i counts them in row-major order.
template <class T, bool kSwap, class Put>
void for_each(const NpyArray& array, const Put& put) {
  const char* const first = array.elements().data();
  const auto element = [&](std::size_t k) { return load<T, kSwap>(first + k * sizeof(T)); };
  if (!array.fortran_order() || array.dimensions() < 2) {
    for (std::size_t i = 0; i < at(array.count()); ++i) put(element(i), i);
    return;
  }
  if (array.dimensions() > 2) {
    fail("{} is in Fortran order with {} dimensions; save it in C order", array.where(), array.dimensions());
  }
  const std::size_t rows = at(array.shape()[0]), cols = at(array.shape()[1]);
  if (array.count() == 0) return;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) put(element(j * rows + i), i * cols + j);
  }
}

template <class T, class Put>
void for_each_in_order(const NpyArray& array, const Put& put) {
  if (array.type().big_endian) {
    for_each<T, true>(array, put);
  } else {
    for_each<T, false>(array, put);
  }
}

template <class Put>
void for_each_number(const NpyArray& array, const Put& put) {
  const auto size = array.type().size;
  switch (array.type().kind) {
    case NpyType::Kind::boolean: return for_each_in_order<Truth>(array, put);
    case NpyType::Kind::signed_integer:
      if (size == 1) return for_each_in_order<std::int8_t>(array, put);
      if (size == 2) return for_each_in_order<std::int16_t>(array, put);
      if (size == 4) return for_each_in_order<std::int32_t>(array, put);
      return for_each_in_order<std::int64_t>(array, put);
    case NpyType::Kind::unsigned_integer:
      if (size == 1) return for_each_in_order<std::uint8_t>(array, put);
      if (size == 2) return for_each_in_order<std::uint16_t>(array, put);
      if (size == 4) return for_each_in_order<std::uint32_t>(array, put);
      return for_each_in_order<std::uint64_t>(array, put);
    case NpyType::Kind::real:
      if (size == 2) return for_each_in_order<Half>(array, put);
      if (size == 4) return for_each_in_order<float>(array, put);
      return for_each_in_order<double>(array, put);
    default: fail("{} holds text; numbers are needed", array.where());
  }
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
  for_each_number(array, [&](auto value, std::size_t i) {
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
  for_each_number(array, [&](auto value, std::size_t i) { values[i] = static_cast<To>(value); });
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
      const char* const bytes = element.data() + k;
      const auto c = static_cast<char32_t>(array.type().big_endian ? load<std::uint32_t, true>(bytes)
                                                                   : load<std::uint32_t, false>(bytes));
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

NpyArray read_npy(const std::filesystem::path& path) { return {read_bytes(path), path.string()}; }

std::vector<std::int32_t> to_int32(const NpyArray& array) { return to_integers<std::int32_t>(array); }
std::vector<std::int64_t> to_int64(const NpyArray& array) { return to_integers<std::int64_t>(array); }

std::vector<double> to_doubles(const NpyArray& array) { return filled<double>(array); }
std::vector<Real> to_reals(const NpyArray& array) { return filled<Real>(array); }

Matrix to_matrix(const NpyArray& array) {
  if (array.dimensions() != 2) {
    fail("{} has shape ({}); a matrix of two dimensions is needed", array.where(),
         fmt::join(array.shape(), ", "));
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
