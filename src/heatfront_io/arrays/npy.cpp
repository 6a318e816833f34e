// SPDX-License-Identifier: MIT
#include "heatfront_io/arrays/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/files/input_file.h"

namespace heatfront {
namespace {

// IEEE half precision: 1 sign, 5 exponent, 10 fraction bits; C++20 has no type for it.
struct HalfBits {
  std::uint16_t bits;
};
struct TruthByte {
  std::uint8_t byte;
};

template <class T>
T value_of(T value) {
  return value;
}
std::uint8_t value_of(TruthByte truth) { return truth.byte != 0; }
float value_of(HalfBits half) {
  const int exponent = half.bits >> 10 & 31;
  const auto fraction = static_cast<float>(half.bits & 1023);
  float size = std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 0) size = std::ldexp(fraction, -24);
  if (exponent == 31) {
    size = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  }
  return half.bits >> 15 ? -size : size;
}

template <class Stored, class Put>
void for_each_stored(std::string_view bytes, bool big_endian, const Put& put) {
  assert(bytes.size() % sizeof(Stored) == 0);
  const bool turn = big_endian != (std::endian::native == std::endian::big);
  for (std::size_t i = 0; i < bytes.size() / sizeof(Stored); ++i) {
    std::array<char, sizeof(Stored)> raw;
    std::memcpy(raw.data(), bytes.data() + i * sizeof(Stored), sizeof(Stored));
    if (turn) std::ranges::reverse(raw);
    put(value_of(std::bit_cast<Stored>(raw)), i);
  }
}

// put(value, i) for the i-th number of these elements, in the C++ type that holds it.
template <class Put>
void for_each_number(std::string_view elements, const NpyArray& array, const Put& put) {
  const auto visit = [&]<class Stored>(Stored) {
    for_each_stored<Stored>(elements, array.type().big_endian, put);
  };
  const std::int64_t size = array.type().size;
  switch (array.type().kind) {
    case NpyType::Kind::boolean: return visit(TruthByte{});
    case NpyType::Kind::real:
      return size == 2 ? visit(HalfBits{}) : size == 4 ? visit(float{}) : visit(double{});
    case NpyType::Kind::signed_integer:
      return size == 1   ? visit(std::int8_t{})
             : size == 2 ? visit(std::int16_t{})
             : size == 4 ? visit(std::int32_t{})
                         : visit(std::int64_t{});
    case NpyType::Kind::unsigned_integer:
      return size == 1   ? visit(std::uint8_t{})
             : size == 2 ? visit(std::uint16_t{})
             : size == 4 ? visit(std::uint32_t{})
                         : visit(std::uint64_t{});
    default: fail("{} holds text; numbers are needed", array.where());
  }
}

// put(value, i) for every element; i counts them in row-major order.
template <class Put>
void for_each_element(const NpyArray& array, const Put& put) {
  if (!array.fortran_order() || array.dimensions() < 2) return for_each_number(array.elements(), array, put);
  if (array.dimensions() > 2) {
    fail("{} is in Fortran order with {} dimensions; save it in C order", array.where(), array.dimensions());
  }
  const std::size_t rows = at(array.shape()[0]), cols = at(array.shape()[1]);
  for_each_number(array.elements(), array,
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
      if (!is_code_point(c)) fail("{}: entry {} holds {:#x}, which is not a character", array.where(), i, +c);
      append_utf8(text, c);
    }
  }
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

}  // namespace

NpyArray::NpyArray(NpyHeader header, std::string bytes, std::string where)
    : where_(std::move(where)), header_(std::move(header)), bytes_(std::move(bytes)) {
  check_npy_payload(header_, bytes_.size() - header_.length, where_);
}

NpyArray npy_array(std::string npy, std::string where) {
  NpyHeader header = parse_npy_header(npy, where);
  return {std::move(header), std::move(npy), std::move(where)};
}

NpyArray read_npy(const std::filesystem::path& path) { return npy_array(read_data(path), path.string()); }

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

void copy_reals(const NpyArray& array, std::int64_t begin, std::span<Real> values) {
  assert(!array.fortran_order());
  const std::size_t size = at(array.type().size);
  for_each_number(array.elements().substr(at(begin) * size, values.size() * size), array,
                  [&](auto value, std::size_t i) { values[i] = static_cast<Real>(value); });
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
