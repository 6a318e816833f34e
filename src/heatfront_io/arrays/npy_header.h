// SPDX-License-Identifier: MIT
// What stands before the elements of an npy array, numpy's own format:
//
//     "\x93NUMPY", version (2 bytes), length of the rest (2 bytes; 4 from version 2 on; little-endian),
//     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, spaces, a newline
//
// The dict is read by a parser of exactly this form; nothing is evaluated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heatfront {

struct NpyType {
  enum class Kind {
    boolean,
    signed_integer,
    unsigned_integer,
    real,
    text,     // UCS-4, `size` is four times the longest
    bytes,    // text of one byte per character
    objects,  // pickled; no numbers, so not what an NpyArray holds
    other     // records, complex numbers, dates
  };

  Kind kind = Kind::other;
  std::int64_t size = 0;  // bytes of an element
  bool big_endian = false;
  std::string descr;  // as the file has it

  bool is_text() const { return kind == Kind::text || kind == Kind::bytes; }
  bool is_readable() const { return kind != Kind::objects && kind != Kind::other; }
};

struct NpyHeader {
  NpyType type;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;  // empty: a single value
  std::int64_t count = 0;           // elements: the product of the shape
  std::size_t length = 0;           // bytes from the start of the array to its first element
};

// '<f4' → its type; kind `other` where it is none of the above.
NpyType npy_type(std::string_view descr);

// Elements of an array of that shape, whose lengths are 0 or more; −1 when their bytes cannot be counted in 64 bits.
std::int64_t npy_count(const NpyType& type, std::span<const std::int64_t> shape);

// A header longer than this is refused: numpy writes some hundred bytes.
inline constexpr std::size_t kLongestNpyHeader = 65536;

// `start`: the first bytes of the array, kLongestNpyHeader of them or all there are. Throws Error beginning
// with `where`. An array of a type that is not readable has a header all the same.
NpyHeader parse_npy_header(std::string_view start, const std::string& where);

// Throws Error unless the type is readable and `payload`, the number of bytes of all elements, is what the
// shape says.
void check_npy_payload(const NpyHeader& header, std::uint64_t payload, const std::string& where);

// The header of an array in row-major order.
std::string npy_header(std::string_view descr, std::span<const std::int64_t> shape);

}  // namespace heatfront
