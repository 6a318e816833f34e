// SPDX-License-Identifier: MIT
#include "heatfront/nn/dropout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/simd.h"

namespace heatfront {
namespace {

constexpr std::size_t kWords = 64;  // drawn at once
using Words = std::array<std::uint64_t, kWords>;

HEATFRONT_CLONES void draw(const Random& random, std::uint64_t first, std::uint64_t count, Words& words) {
  for (std::uint64_t i = 0; i < count; ++i) words[i] = random.bits(first + i);
}

HEATFRONT_CLONES void multiply(const Real* x, const Real* factors, Real* y, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j) y[j] = x[j] * factors[j];
}

HEATFRONT_CLONES void choose(const Words& words, std::uint32_t threshold, Real scale, Real* factors,
                             std::size_t count) {
  const auto* lanes = reinterpret_cast<const unsigned char*>(words.data());
  for (std::size_t j = 0; j < count; ++j) {
    std::uint16_t lane;
    std::memcpy(&lane, lanes + sizeof(lane) * j, sizeof(lane));
    factors[j] = lane < threshold ? scale : Real(0);
  }
}

// Unit j of a row has 16 bits of word j/4, the lowest first.
std::uint64_t first_word(std::int64_t row, std::int64_t width) {
  return static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>((width + 3) / 4);
}

static_assert(std::endian::native == std::endian::little, "lanes are in the order of their bits");

}  // namespace

Dropout::Dropout(double share) {
  if (!(share >= 0 && share < 1)) fail("dropout {}: it must be in [0, 1)", share);
  threshold_ = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::lround((1 - share) * 65536)));
}

void Dropout::factors(const Random& random, std::int64_t row, std::span<Real> factors) const {
  factors_from(random, first_word(row, std::ssize(factors)), factors);
}

void Dropout::factors_from(const Random& random, std::uint64_t word, std::span<Real> factors) const {
  Words words;
  for (std::size_t begin = 0; begin < factors.size(); begin += 4 * kWords, word += kWords) {
    draw(random, word, std::min(kWords, (factors.size() - begin + 3) / 4), words);
    choose(words, threshold_, scale(), factors.data() + begin, std::min(4 * kWords, factors.size() - begin));
  }
}

std::int64_t Dropout::kept(const Random& random, std::int64_t row, std::int64_t width,
                           std::int32_t* units) const {
  constexpr std::uint64_t kOnes = 0x0001'0001'0001'0001u, kHighs = 0x8000'8000'8000'8000u;
  const std::uint64_t first = first_word(row, width), count_words = first_word(1, width);
  std::int64_t count = 0;
  Words words;
  for (std::uint64_t word = 0; word < count_words; ++word) {
    if (word % kWords == 0) draw(random, first + word, std::min(kWords, count_words - word), words);
    const std::uint64_t bits = words[word % kWords];
    // Not zero if and only if some 16 bits are below the threshold, which must be at most 2^15.
    if (threshold_ <= 0x8000 && ((bits - kOnes * threshold_) & ~bits & kHighs) == 0) continue;
    for (std::uint64_t k = 0; k < 4; ++k) {
      const auto unit = static_cast<std::int64_t>(4 * word + k);
      units[count] = static_cast<std::int32_t>(unit);
      count += unit < width && ((bits >> (16 * k)) & 0xFFFF) < threshold_ ? 1 : 0;
    }
  }
  return count;
}

void drop(const Dropout& dropout, const Random& random, ConstMatrixView x, MatrixView y, Threads& threads) {
  threads.for_blocks(x.rows, rows_at_once(x.rows, 2 * x.cols), [&](std::int64_t begin, std::int64_t end) {
    std::vector<Real> factors(static_cast<std::size_t>(x.cols));
    for (std::int64_t u = begin; u < end; ++u) {
      dropout.factors(random, u, factors);
      multiply(x.data + u * x.stride, factors.data(), y.data + u * y.stride, x.cols);
    }
  });
}

}  // namespace heatfront
