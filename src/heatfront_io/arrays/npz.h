// SPDX-License-Identifier: MIT
// An npz file: a zip with one npy array per entry, NAME.npy, stored or deflated; what numpy.load reads and
// numpy.savez writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"
#include "heatfront_io/arrays/npy.h"

namespace heatfront {

// Whether a file begins as zip files do; false where it cannot be read.
bool begins_as_zip(const std::filesystem::path& path);

// Throws Error that names file and array. Sizes that the file declares are checked against each other before
// memory is taken, and memory grows with what is really unpacked.
class NpzReader {
 public:
  // No array of more than `most` bytes is read; without it, of half of the memory there is.
  explicit NpzReader(const std::filesystem::path& path, std::optional<std::uint64_t> most = {});
  // The same of a file in memory, which must outlive this; messages call it `where`.
  NpzReader(std::span<const std::byte> bytes, std::string where, std::optional<std::uint64_t> most = {});
  ~NpzReader();
  NpzReader(NpzReader&&) noexcept;
  NpzReader& operator=(NpzReader&&) noexcept;

  const std::string& where() const;                   // the file, for messages
  std::string where_is(std::string_view name) const;  // file and array
  const std::vector<std::string>& names() const;      // without .npy, as they stand in the file
  bool has(std::string_view name) const;
  std::string first_of(std::initializer_list<std::string_view> names) const;  // that is there, else ""

  NpyHeader header(std::string_view name) const;
  NpyArray read(std::string_view name) const;
  std::string read_pickle(std::string_view name) const;  // of an array of objects: what follows its header

  // Arrays that were neither read (which a pickle is only once it is left as well) nor left.
  std::vector<std::string> unused() const;
  void leave(std::string_view name) const;  // known, and not wanted here

 private:
  friend class NpzPieces;
  struct State;
  std::unique_ptr<State> state_;
};

// One array of a file, a piece at a time from its beginning, for whoever cannot hold it. Checked as NpzReader does, but it may be of any size.
class NpzPieces {
 public:
  NpzPieces(const std::filesystem::path& path, std::string_view name);
  ~NpzPieces();
  NpzPieces(NpzPieces&&) noexcept;

  const NpyHeader& header() const;  // of the whole array
  const std::string& where() const;

  // The next so many elements, as an array of one dimension; no more than there are left.
  NpyArray next(std::int64_t elements);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

enum class Packing { deflated, stored };

template <class T>
inline constexpr std::string_view kNpyDescr = "";
template <>
inline constexpr std::string_view kNpyDescr<float> = "<f4";
template <>
inline constexpr std::string_view kNpyDescr<double> = "<f8";
template <>
inline constexpr std::string_view kNpyDescr<std::int32_t> = "<i4";
template <>
inline constexpr std::string_view kNpyDescr<std::int64_t> = "<i8";
template <>
inline constexpr std::string_view kNpyDescr<std::uint8_t> = "|u1";

// The file appears whole at commit(), or not at all; the same arrays give the same bytes. Arrays are written as they come.
class NpzWriter {
 public:
  using Shape = std::vector<std::int64_t>;

  explicit NpzWriter(const std::filesystem::path& path, Packing packing = Packing::deflated);
  // The same bytes into memory; `bytes` must outlive this and are whole after commit().
  explicit NpzWriter(std::vector<std::byte>& bytes, Packing packing = Packing::deflated);
  ~NpzWriter();
  NpzWriter(NpzWriter&&) noexcept;
  NpzWriter& operator=(NpzWriter&&) noexcept;

  template <std::ranges::contiguous_range Values>
  void add(std::string_view name, const Values& values) {
    add(name, values, {std::ssize(values)});
  }
  template <std::ranges::contiguous_range Values>
  void add(std::string_view name, const Values& values, const Shape& shape) {
    using Value = std::ranges::range_value_t<Values>;
    static_assert(!kNpyDescr<Value>.empty(), "no npy type for such values");
    put(name, kNpyDescr<Value>, std::as_bytes(std::span<const Value>(values)), shape);
  }
  void add(std::string_view name, const std::vector<std::string>& texts);  // UTF-8

  // As '<f4' whatever Real is.
  void add_reals(std::string_view name, std::span<const Real> values);
  void add_reals(std::string_view name, ConstMatrixView values);

  void commit();

 private:
  struct State;

  void put(std::string_view name, std::string_view descr, std::span<const std::byte> elements,
           const Shape& shape);

  std::unique_ptr<State> state_;
};

}  // namespace heatfront
