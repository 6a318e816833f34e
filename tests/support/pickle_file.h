// SPDX-License-Identifier: MIT
// Pickles of numpy and scipy as Python writes them, of any content, also such as Python would not write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/npz_file.h"

namespace heatfront::test {

// How it is written; makes values, which are put together and ended by whole().
struct PickleWriter {
  int protocol = 4;  // 2 to 5
  std::string numpy = "numpy._core";
  std::string scipy = "scipy.sparse._";  // and the format: the module

  static std::string low_first(std::uint64_t number, std::size_t width) {
    std::string bytes;
    for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(number >> 8 * i & 255);
    return bytes;
  }

  std::string whole(const std::string& value) const {
    const std::string start = std::string("\x80") + static_cast<char>(protocol);
    const std::string rest = value + ".";
    return protocol < 4 ? start + rest : start + "\x95" + low_first(rest.size(), 8) + rest;
  }

  std::string text(std::string_view text) const {
    const std::string length =
        protocol < 4 ? "X" + low_first(text.size(), 4) : "\x8c" + low_first(text.size(), 1);
    return length + std::string(text) + (protocol < 4 ? "r" + low_first(7, 4) : "\x94");
  }

  std::string bytes(std::string_view bytes) const {
    if (protocol >= 3) return "B" + low_first(bytes.size(), 4) + std::string(bytes);
    std::string latin1;
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 128) latin1 += static_cast<char>(0xc0 | byte >> 6);
      latin1 += byte >= 128 ? static_cast<char>(0x80 | (byte & 63)) : c;
    }
    return named("_codecs", "encode") + tuple({text(latin1), text("latin1")}) + "R";
  }

  std::string named(std::string_view module, std::string_view name) const {
    if (protocol >= 4) return text(module) + text(name) + "\x93";
    return "c" + std::string(module) + "\n" + std::string(name) + "\n";
  }

  static std::string number(std::int64_t number) {
    return "\x8a\x08" + low_first(static_cast<std::uint64_t>(number), 8);
  }

  static std::string joined(const std::vector<std::string>& items) {
    std::string all = "(";
    for (const std::string& item : items) all += item;
    return all;
  }
  static std::string tuple(const std::vector<std::string>& items) { return joined(items) + "t"; }
  static std::string list(const std::vector<std::string>& items) { return "]" + joined(items) + "e"; }

  std::string dict(const std::vector<std::pair<std::string, std::string>>& items) const {
    std::string all = "}(";
    for (const auto& [name, value] : items) all += text(name) + value;
    return all + "u";
  }

  static std::string shape(const std::vector<std::int64_t>& lengths) {
    std::vector<std::string> items;
    for (const std::int64_t length : lengths) items.push_back(number(length));
    return tuple(items);
  }

  std::string type(std::string_view descr) const {  // "<f4"
    return named("numpy", "dtype") + tuple({text(descr.substr(1)), "\x89", "\x88"}) + "R" +
           tuple({number(3), text(descr.substr(0, 1)), "N", "N", "N", number(-1), number(-1), number(0)}) +
           "b";
  }

  // Its elements are bytes, in protocol 5 a buffer, or of type "|O" a list.
  std::string array(std::string_view descr, const std::vector<std::int64_t>& lengths,
                    const std::string& elements) const {
    if (protocol == 5 && descr != "|O") {
      return named(numpy + ".numeric", "_frombuffer") +
             tuple({"\x96" + low_first(elements.size(), 8) + elements, type(descr), shape(lengths),
                    text("C")}) +
             "R";
    }
    return named(numpy + ".multiarray", "_reconstruct") +
           tuple({named("numpy", "ndarray"), shape({0}), bytes("b")}) + "R" +
           tuple(
               {number(1), shape(lengths), type(descr), "\x89", descr == "|O" ? elements : bytes(elements)}) +
           "b";
  }

  template <class T>
  std::string array(const std::vector<T>& values, std::vector<std::int64_t> lengths = {}) const {
    if (lengths.empty()) lengths = {std::ssize(values)};
    return array(kNpyDescr<T>, lengths, bytes_of(values));
  }

  // `name`: "csr_matrix" or the like.
  std::string matrix(std::string_view name,
                     const std::vector<std::pair<std::string, std::string>>& attributes) const {
    const std::string module = scipy.ends_with("arrays") ? scipy : scipy + std::string(name.substr(0, 3));
    return named(module, name) + ")\x81" + dict(attributes) + "b";
  }

  // An array of objects as numpy saves it.
  std::string npy(const std::vector<std::int64_t>& lengths, const std::vector<std::string>& objects) const {
    return npy_header("|O", lengths) + whole(array("|O", lengths, list(objects)));
  }
  std::string npy(const std::string& object) const { return npy({}, {object}); }
};

}  // namespace heatfront::test
