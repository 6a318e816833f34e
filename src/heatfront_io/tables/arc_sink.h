// SPDX-License-Identifier: MIT
// Where the arcs of a file go, one after another as they are read: into a list, or into files for whoever cannot hold one.
#pragma once

#include "heatfront/graph/build.h"

namespace heatfront {

class ArcSink {
 public:
  virtual ~ArcSink() = default;

  virtual void begin(bool weighted) = 0;  // before the first
  virtual void add(NodeId from, NodeId to, Real weight) = 0;
};

class ListedArcs final : public ArcSink {
 public:
  ArcList list;  // its number of nodes is for whoever knows it

  void begin(bool weighted) override { weighted_ = weighted; }
  void add(NodeId from, NodeId to, Real weight) override {
    list.from.push_back(from);
    list.to.push_back(to);
    if (weighted_) list.weights.push_back(weight);
  }

 private:
  bool weighted_ = false;
};

}  // namespace heatfront
