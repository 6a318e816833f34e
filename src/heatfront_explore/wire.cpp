// SPDX-License-Identifier: MIT
#include "heatfront_explore/wire.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>
#include <vector>

namespace heatfront::explore {
namespace {

static_assert(std::endian::native == std::endian::little);

class Bytes {
 public:
  explicit Bytes(std::string_view mark) : text_(mark) {}

  void number(std::int64_t value) { add(static_cast<std::uint32_t>(value)); }
  void real(double value) { add(static_cast<float>(value)); }
  template <class T>
  void list(const std::vector<T>& values) {
    text_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  void places(const Matrix& places) {
    for (std::int64_t u = 0; u < places.rows(); ++u) {
      real(static_cast<double>(places(u, 0)));
      real(static_cast<double>(places(u, 1)));
    }
  }
  void decisions(const Decisions& decisions) {
    std::vector<std::uint16_t> classes;
    std::vector<std::uint8_t> sure, status;
    for (std::size_t u = 0; u < decisions.classes.size(); ++u) {
      classes.push_back(static_cast<std::uint16_t>(decisions.classes[u]));
      sure.push_back(static_cast<std::uint8_t>(std::lround(255 * decisions.confidence[u])));
      status.push_back(static_cast<std::uint8_t>(decisions.status[u]));
    }
    list(classes);
    list(sure);
    list(status);
  }

  std::string take() { return std::move(text_); }

 private:
  template <class T>
  void add(T value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::string text_;
};

}  // namespace

std::string graph_bytes(const Graph& graph, const Matrix& places) {
  Bytes bytes("HFG1");
  bytes.number(graph.nodes());
  bytes.number(graph.edges());
  bytes.places(places);
  std::vector<std::uint32_t> ends;
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    for (const NodeId v : graph.neighbours(u)) {
      if (u > v) continue;
      ends.push_back(static_cast<std::uint32_t>(u));
      ends.push_back(static_cast<std::uint32_t>(v));
    }
  }
  bytes.list(ends);
  return bytes.take();
}

std::string places_bytes(const Matrix& places, std::int64_t version) {
  Bytes bytes("HFP1");
  bytes.number(places.rows());
  bytes.number(version);
  bytes.places(places);
  return bytes.take();
}

std::string answer_bytes(const Decisions& decisions, std::int64_t version) {
  Bytes bytes("HFA1");
  bytes.number(std::ssize(decisions.classes));
  bytes.number(version);
  bytes.decisions(decisions);
  return bytes.take();
}

std::string film_bytes(const Film& film, std::int64_t version) {
  Bytes bytes("HFF1");
  bytes.number(std::ssize(film.states.front().decisions.classes));
  bytes.number(std::ssize(film.states));
  bytes.number(version);
  bytes.number((film.of_labels_alone ? 1 : 0) + (film.judged ? 2 : 0));
  for (const FilmState& state : film.states) bytes.real(state.time);
  for (const FilmState& state : film.states) bytes.real(state.score);
  for (const FilmState& state : film.states) bytes.decisions(state.decisions);
  return bytes.take();
}

std::string reach_bytes(const Reach& reach, std::int64_t version) {
  Bytes bytes("HFR1");
  bytes.number(std::ssize(reach.moved));
  bytes.number(version);
  std::vector<std::uint8_t> strength;
  for (const Real moved : reach.moved)
    strength.push_back(static_cast<std::uint8_t>(
        reach.most > 0 ? std::lround(255 * std::min(Real(1), moved / reach.most)) : 0));
  bytes.list(strength);
  return bytes.take();
}

std::string with_json(const std::string& json, const std::string& bytes) {
  Bytes both("HFJ1");
  both.number(std::ssize(json));
  std::string text = both.take() + json;
  text.append((4 - text.size() % 4) % 4, ' ');
  return text + bytes;
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace heatfront::explore
