// SPDX-License-Identifier: MIT
// A trained model in use: made once, then asked again and again while labels and classes change. Nothing is trained.
#pragma once

#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/flow/decide.h"
#include "heatfront/flow/labelled_flow.h"

namespace heatfront {

// An answer as a sum of what it came from, which is exact where it is linear:
//
//     f(u) = prior + Σ_{known v} a_v (e_{y_v} − centre) + Σ_v b_v front(v)
//
// and, where the front is linear in attributes, f(u) = prior + Σ_k of what attribute k gives.
struct Reasons {
  std::vector<double> labels;         // a, by known label
  std::vector<double> centre, prior;  // by class; empty: 0
  Matrix fronts;                      // b (n, 1); empty: fronts are nothing apart from labels
  Matrix attributes;                  // by column of the data's features (d, C); empty: not known
  Matrix places;  // the same by node, of those whose attribute is to be themselves (n, C); empty: none
  std::vector<Real> own_front;  // the front at u, by class
};

// What labelling some nodes would do: f(v) += h (s e_c + r − f(j)) with h = heat(v, j) / unit(j).
struct Influence {
  Matrix heat;  // (n, nodes)
  std::vector<double> unit;
  double label_scale = 1;           // s
  std::vector<double> beside = {};  // r, by class; empty: 0
};

class Predictor {
 public:
  virtual ~Predictor() = default;

  // What it answers from: the model's front, with a column for every class there is now; lent.
  virtual void set_front(ConstMatrixView front) = 0;

  // What it says of every node with these labels known.
  virtual Answer answer(const KnownLabels& known) = 0;

  // Is the answer linear in the labels that are known? Only then may the two be asked for.
  virtual bool is_linear() const { return false; }
  virtual std::vector<Reasons> reasons(std::span<const NodeId>, const KnownLabels&) { return {}; }
  virtual Influence influence(std::span<const NodeId>, const KnownLabels&) { return {}; }

  // The flow of heat whose end the answer is, which can explain it; null where it is none.
  virtual LabelledFlow* flow() { return nullptr; }

 protected:
  Predictor() = default;
  Predictor(const Predictor&) = default;
  Predictor& operator=(const Predictor&) = default;
};

}  // namespace heatfront
