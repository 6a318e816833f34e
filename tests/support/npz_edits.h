// SPDX-License-Identifier: MIT
// Whole npz files in which one array is not what it should be: a zip reader takes them, and only who reads the arrays
// can refuse them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heatfront_io/arrays/npy_header.h"
#include "support/npz_file.h"

namespace heatfront::test {

enum class ArrayEdit {
  removed,
  emptied,
  shortened,       // by its last row
  lengthened,      // by its last row once more
  negative,        // all of it
  first_negative,  // the first number alone
  zero,
  huge,
  first_huge,
  not_a_number,
  infinite,
  other_type,
  reversed,  // the order of its rows
  deeper     // one more dimension
};

struct ArrayEditName {
  ArrayEdit edit;
  std::string_view name;
};
inline constexpr std::array<ArrayEditName, 14> kArrayEdits = {{{ArrayEdit::removed, "removed"},
                                                               {ArrayEdit::emptied, "emptied"},
                                                               {ArrayEdit::shortened, "shortened"},
                                                               {ArrayEdit::lengthened, "lengthened"},
                                                               {ArrayEdit::negative, "negative"},
                                                               {ArrayEdit::first_negative, "first negative"},
                                                               {ArrayEdit::zero, "zero"},
                                                               {ArrayEdit::huge, "huge"},
                                                               {ArrayEdit::first_huge, "first huge"},
                                                               {ArrayEdit::not_a_number, "not a number"},
                                                               {ArrayEdit::infinite, "infinite"},
                                                               {ArrayEdit::other_type, "of another type"},
                                                               {ArrayEdit::reversed, "reversed"},
                                                               {ArrayEdit::deeper, "deeper"}}};

// An array taken apart. Texts have four bytes a character.
struct NpyParts {
  std::string descr;
  std::vector<std::int64_t> shape;
  std::string elements;

  std::string whole() const { return npy(descr, shape, elements); }
};

inline NpyParts parts_of(const std::string& npy) {
  const NpyHeader header = parse_npy_header(npy, "");
  return {header.type.descr, header.shape, npy.substr(header.length)};
}

namespace npz_edits {

template <class T>
std::string element(T value) {
  return bytes_of(std::vector<T>{value});
}

inline bool is_text(const NpyParts& array) { return array.descr.find('U') != std::string::npos; }
inline bool is_real(const NpyParts& array) { return array.descr.find('f') != std::string::npos; }
inline bool is_wide(const NpyParts& array) { return array.descr.ends_with('8'); }

inline std::size_t element_size(const NpyParts& array) {
  return is_text(array) ? 4 * std::stoul(array.descr.substr(2)) : is_wide(array) ? 8 : 4;
}

inline std::string number(const NpyParts& array, int value) {
  if (is_real(array)) return is_wide(array) ? element<double>(value) : element(static_cast<float>(value));
  return is_wide(array) ? element<std::int64_t>(value) : element<std::int32_t>(value);
}

inline std::string huge_number(const NpyParts& array) {
  if (is_real(array)) return is_wide(array) ? element(1e300) : element(3e38f);
  return is_wide(array) ? element(std::numeric_limits<std::int64_t>::max())
                        : element(std::numeric_limits<std::int32_t>::max());
}

inline std::int64_t count(const NpyParts& array) {
  std::int64_t product = 1;
  for (std::int64_t length : array.shape) product *= length;
  return product;
}

// Of texts the characters are the numbers.
inline void fill(NpyParts& array, const std::string& value, bool first_alone) {
  if (is_text(array)) {
    std::ranges::fill(array.elements, value.front());
    return;
  }
  for (std::size_t i = 0; i < (first_alone ? std::min<std::size_t>(1, at(count(array))) : at(count(array)));
       ++i)
    array.elements.replace(i * value.size(), value.size(), value);
}

inline void fill_reals(NpyParts& array, double value) {
  array.descr = "<f8";
  array.elements = bytes_of(std::vector<double>(at(count(array)), value));
}

inline std::size_t row_bytes(const NpyParts& array) {
  std::size_t bytes = element_size(array);
  for (std::size_t i = 1; i < array.shape.size(); ++i) bytes *= at(array.shape[i]);
  return bytes;
}

inline void reverse_rows(NpyParts& array) {
  std::string reversed;
  const std::size_t bytes = row_bytes(array);
  for (std::size_t end = array.elements.size(); end >= bytes && bytes > 0; end -= bytes)
    reversed += array.elements.substr(end - bytes, bytes);
  array.elements = reversed;
}

inline void change(NpyParts& array, ArrayEdit edit) {
  const bool has_rows = !array.shape.empty() && array.shape.front() > 0;
  switch (edit) {
    case ArrayEdit::removed: break;
    case ArrayEdit::emptied:
      if (!array.shape.empty()) array.shape.front() = 0;
      array.elements.resize(array.shape.empty() ? array.elements.size() : 0);
      break;
    case ArrayEdit::shortened:
      if (!has_rows) break;
      array.elements.resize(array.elements.size() - row_bytes(array));
      --array.shape.front();
      break;
    case ArrayEdit::lengthened:
      if (array.shape.empty()) break;
      array.elements += has_rows ? array.elements.substr(array.elements.size() - row_bytes(array))
                                 : std::string(row_bytes(array), '\0');
      ++array.shape.front();
      break;
    case ArrayEdit::negative: fill(array, number(array, -1), false); break;
    case ArrayEdit::first_negative: fill(array, number(array, -1), true); break;
    case ArrayEdit::zero: fill(array, number(array, 0), false); break;
    case ArrayEdit::huge: fill(array, huge_number(array), false); break;
    case ArrayEdit::first_huge: fill(array, huge_number(array), true); break;
    case ArrayEdit::not_a_number: fill_reals(array, std::numeric_limits<double>::quiet_NaN()); break;
    case ArrayEdit::infinite: fill_reals(array, std::numeric_limits<double>::infinity()); break;
    case ArrayEdit::other_type:
      if (is_text(array)) {
        fill_reals(array, 0);
      } else {
        array.descr = "<U1";
        array.elements = bytes_of(std::vector<char32_t>(at(count(array)), U'7'));
      }
      break;
    case ArrayEdit::reversed: reverse_rows(array); break;
    case ArrayEdit::deeper: array.shape.push_back(1); break;
  }
}

}  // namespace npz_edits

// The entries with one of them changed so.
inline Entries edited(Entries entries, std::size_t array, ArrayEdit edit) {
  if (edit == ArrayEdit::removed) {
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(array));
    return entries;
  }
  NpyParts parts = parts_of(entries[array].second);
  npz_edits::change(parts, edit);
  entries[array].second = parts.whole();
  return entries;
}

}  // namespace heatfront::test
