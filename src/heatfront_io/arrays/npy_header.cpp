// SPDX-License-Identifier: MIT
#include "heatfront_io/arrays/npy_header.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"

namespace heatfront {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostDimensions = 32;

// The dict of a header, of exactly the form that numpy writes; nothing is evaluated.
class DictParser {
 public:
  DictParser(std::string_view npy, std::size_t begin, const std::string& where)
      : npy_(npy), at_(begin), where_(where) {}

  NpyHeader parse() {
    std::optional<NpyType> type;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::int64_t>> shape;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = text();
      expect(':');
      if (key == "descr" && !type) {
        // The elements of a structured type are listed in brackets; no more needs to be known of it.
        if (next() == '[' || next() == '(') return {.type = {.descr = "[...]"}};
        type = npy_type(text());
      } else if (key == "fortran_order" && !fortran_order) {
        fortran_order = truth();
      } else if (key == "shape" && !shape) {
        shape = tuple();
      } else {
        wrong("'descr', 'fortran_order' and 'shape', once each");
      }
      if (next() != '}') expect(',');
    }
    if (next() != '\0') wrong("nothing after the dict");
    if (!type || !fortran_order || !shape) wrong("'descr', 'fortran_order' and 'shape'");
    return {.type = std::move(*type), .fortran_order = *fortran_order, .shape = std::move(*shape)};
  }

 private:
  [[noreturn]] void wrong(std::string_view needed) const {
    fail("{}: damaged npy header at byte {}: expected {}", where_, at_, needed);
  }

  char next() {
    while (at_ < npy_.size() && (npy_[at_] == ' ' || npy_[at_] == '\n')) ++at_;
    return at_ < npy_.size() ? npy_[at_] : '\0';
  }

  bool accept(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) wrong(fmt::format("'{}'", c));
  }

  std::string_view text() {
    const char quote = next();
    if (quote != '\'' && quote != '"') wrong("a quoted text");
    const std::size_t begin = ++at_;
    while (at_ < npy_.size() && npy_[at_] != quote) {
      if (npy_[at_] < ' ' || npy_[at_] > '~' || npy_[at_] == '\\') wrong("a text of plain letters");
      ++at_;
    }
    if (at_ == npy_.size()) wrong("a closing quote");
    return npy_.substr(begin, at_++ - begin);
  }

  bool truth() {
    const bool value = next() == 'T';
    const std::string_view word = value ? "True" : "False";
    if (!npy_.substr(at_).starts_with(word)) wrong("True or False");
    at_ += word.size();
    return value;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    expect('(');
    while (!accept(')')) {
      if (values.size() == kMostDimensions) wrong("at most 32 dimensions");
      values.push_back(number());
      if (next() != ')') expect(',');
    }
    return values;
  }

  std::int64_t number() {
    if (next() < '0' || next() > '9') wrong("a whole number");
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(npy_.data() + at_, npy_.data() + npy_.size(), value);
    if (error != std::errc()) wrong("a number below 2^63");
    at_ = static_cast<std::size_t>(stop - npy_.data());
    if (at_ < npy_.size() && npy_[at_] == 'L') ++at_;  // as Python 2 wrote it
    return value;
  }

  std::string_view npy_;
  std::size_t at_;
  const std::string& where_;
};

}  // namespace

NpyType npy_type(std::string_view descr) {
  NpyType type{.descr = std::string(descr)};
  const bool has_order = !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
  if (has_order) {
    type.big_endian = descr[0] == '>';
    descr.remove_prefix(1);
  }
  if (descr.starts_with('O')) type.kind = NpyType::Kind::objects;
  std::int64_t size = -1;
  const char* const end = descr.data() + descr.size();
  if (descr.size() < 2 || std::from_chars(descr.data() + 1, end, size).ptr != end) return type;
  const auto is = [&](char letter, std::initializer_list<std::int64_t> sizes) {
    return descr[0] == letter && std::ranges::find(sizes, size) != sizes.end();
  };
  constexpr std::int64_t kLongestText = std::int64_t(1) << 32;
  const bool fits = 0 <= size && size < kLongestText;
  type.size = descr[0] == 'U' && fits ? 4 * size : size;
  if (is('b', {1})) type.kind = NpyType::Kind::boolean;
  if (is('i', {1, 2, 4, 8})) type.kind = NpyType::Kind::signed_integer;
  if (is('u', {1, 2, 4, 8})) type.kind = NpyType::Kind::unsigned_integer;
  if (is('f', {2, 4, 8})) type.kind = NpyType::Kind::real;
  if (descr[0] == 'S' && fits) type.kind = NpyType::Kind::bytes;
  if (descr[0] == 'U' && fits) type.kind = NpyType::Kind::text;
  return type;
}

std::int64_t npy_count(const NpyType& type, std::span<const std::int64_t> shape) {
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  std::int64_t count = 1, bytes = 0;
  for (const std::int64_t length : shape) {
    if (__builtin_mul_overflow(count, length, &count)) return -1;
  }
  return __builtin_mul_overflow(count, type.size, &bytes) ? -1 : count;
}

NpyHeader parse_npy_header(std::string_view start, const std::string& where) {
  if (!start.starts_with(kMagic) || start.size() < kMagic.size() + 2) {
    fail("{}: not an npy array (it does not begin with \\x93NUMPY)", where);
  }
  const int version = static_cast<unsigned char>(start[kMagic.size()]);
  if (version < 1 || version > 3) fail("{}: npy version {}; versions 1, 2 and 3 are read", where, version);
  const std::size_t begin = kMagic.size() + (version == 1 ? 4 : 6);
  std::size_t end = 0;  // the length of the rest, low byte first
  for (std::size_t k = std::min(begin, start.size()); k-- > kMagic.size() + 2;)
    end = end << 8 | static_cast<unsigned char>(start[k]);
  end = start.size() < begin ? begin : begin + end;
  if (end > kLongestNpyHeader)
    fail("{}: an npy header of {} bytes; at most {} are read", where, end, kLongestNpyHeader);
  if (end > start.size()) fail("{}: the npy header is cut off after {} bytes", where, start.size());
  NpyHeader header = DictParser(start.substr(0, end), begin, where).parse();
  header.length = end;
  header.count = npy_count(header.type, header.shape);
  return header;
}

void check_npy_payload(const NpyHeader& header, std::uint64_t payload, const std::string& where) {
  const NpyType& type = header.type;
  if (type.kind == NpyType::Kind::objects) {
    fail("{} holds pickled Python objects, which are not read; save it as plain numbers or text", where);
  }
  if (!type.is_readable()) {
    fail("{} has elements of type {}, which are not read; save it as integers, floats or text", where,
         type.descr);
  }
  // Elements of no size would be believed without a byte to show for them.
  const bool plausible = header.count == 0 || (header.count > 0 && type.size > 0);
  if (!plausible || static_cast<std::uint64_t>(header.count * type.size) != payload) {
    fail("{}: shape ({}) of type {} does not fit its {} bytes", where, join(header.shape, ", "), type.descr,
         payload);
  }
}

std::string npy_header(std::string_view descr, std::span<const std::int64_t> shape) {
  constexpr std::size_t kAlignment = 64, kStart = kMagic.size() + 4;
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                 join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t whole = (kStart + dict.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  dict.resize(whole - kStart - 1, ' ');
  dict += '\n';
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(dict.size() & 0xFF), static_cast<char>(dict.size() >> 8)};
  return header + dict;
}

}  // namespace heatfront
