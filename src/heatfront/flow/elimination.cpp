// SPDX-License-Identifier: MIT
#include "heatfront/flow/elimination.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace heatfront {
namespace {

constexpr std::size_t kMostLinks = std::size_t{1} << 22;  // of 16 bytes
constexpr std::size_t kMostMerged = 50'000'000;

struct Link {
  NodeId to;  // by place among the free nodes, ascending
  double weight;
};

class Elimination {
 public:
  Elimination(const HarmonicSystem& system, ConstMatrixView state) : columns_(at(state.cols)) {
    std::vector<NodeId> place(at(state.rows), -1);
    for (NodeId u = 0; u < state.rows; ++u) {
      if (!system.is_free(u)) continue;
      place[at(u)] = static_cast<NodeId>(nodes_.size());
      nodes_.push_back(u);
    }
    links_.resize(nodes_.size());
    to_known_.resize(nodes_.size());
    heat_.resize(nodes_.size() * columns_);
    for (std::size_t i = 0; i < nodes_.size() && fits(); ++i) {
      for (ArcId arc = system.graph.begin_of(nodes_[i]); arc < system.graph.begin_of(nodes_[i] + 1); ++arc) {
        const NodeId v = system.graph.targets()[at(arc)];
        const double weight = system.weight(arc);
        if (system.is_free(v) && weight > 0) links_[i].push_back({place[at(v)], weight});
        if (system.role(v) != NodeRole::known) continue;
        to_known_[i] += weight;
        for (std::size_t c = 0; c < columns_; ++c)
          heat(i)[c] += weight * static_cast<double>(state.row(v)[c]);
      }
      held_ += links_[i].size();
    }
  }

  // False where it takes too much.
  bool eliminate() {
    using Candidate = std::pair<std::size_t, std::size_t>;  // links, and node
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> fewest;
    for (std::size_t i = 0; i < nodes_.size(); ++i) fewest.push({links_[i].size(), i});
    std::vector<bool> taken(nodes_.size());
    for (; !fewest.empty() && fits();) {
      const auto [count, i] = fewest.top();
      fewest.pop();
      if (taken[i] || count != links_[i].size()) continue;
      taken[i] = true;
      order_.push_back(i);
      double sum = to_known_[i];
      for (const Link& link : links_[i]) sum += link.weight;
      if (!(sum > 0)) return false;  // below the least number there is
      for (Link& link : links_[i]) link.weight /= sum;
      for (double& h : heat(i)) h /= sum;
      to_known_[i] /= sum;
      for (const Link& link : links_[i]) {
        pass_on(i, at(link.to), link.weight * sum);
        fewest.push({links_[at(link.to)].size(), at(link.to)});
      }
    }
    return fits();
  }

  // Σ of the shares times the neighbours' numbers, which are there by then.
  void substitute(MatrixView state) {
    for (auto i = order_.rbegin(); i != order_.rend(); ++i) {
      for (const Link& link : links_[*i]) {
        for (std::size_t c = 0; c < columns_; ++c) heat(*i)[c] += link.weight * heat(at(link.to))[c];
      }
      for (std::size_t c = 0; c < columns_; ++c) state.row(nodes_[*i])[c] = static_cast<Real>(heat(*i)[c]);
    }
  }

 private:
  std::span<double> heat(std::size_t i) { return std::span(heat_).subspan(i * columns_, columns_); }
  bool fits() const { return held_ <= kMostLinks && merged_ <= kMostMerged; }

  // Node u, joined to `from` by the weight, takes over its share of all that this is joined to.
  void pass_on(std::size_t from, std::size_t u, double weight) {
    to_known_[u] += weight * to_known_[from];
    for (std::size_t c = 0; c < columns_; ++c) heat(u)[c] += weight * heat(from)[c];
    const std::vector<Link>&mine = links_[u], &others = links_[from];
    merging_.clear();
    for (auto x = mine.begin(), y = others.begin(); x != mine.end() || y != others.end();) {
      if (y == others.end() || (x != mine.end() && x->to < y->to)) {
        if (x->to != static_cast<NodeId>(from)) merging_.push_back(*x);
        ++x;
      } else {
        const double more = weight * y->weight,
                     before = x != mine.end() && x->to == y->to ? (x++)->weight : 0;
        if (y->to != static_cast<NodeId>(u)) merging_.push_back({y->to, before + more});
        ++y;
      }
    }
    merged_ += mine.size() + others.size();
    held_ += merging_.size();
    held_ -= mine.size();
    links_[u] = merging_;
  }

  std::size_t columns_;
  std::vector<NodeId> nodes_;             // the free ones
  std::vector<std::vector<Link>> links_;  // to free nodes that are not taken out; of those taken out, shares
  std::vector<double> to_known_;          // Σ of the weights to known nodes
  std::vector<double> heat_;              // Σ of these weights times what is known there, by column
  std::vector<std::size_t> order_;
  std::vector<Link> merging_;
  std::size_t held_ = 0, merged_ = 0;
};

}  // namespace

bool extend_by_elimination(const HarmonicSystem& system, MatrixView state) {
  Elimination elimination(system, state);
  if (!elimination.eliminate()) return false;
  elimination.substitute(state);
  return true;
}

}  // namespace heatfront
