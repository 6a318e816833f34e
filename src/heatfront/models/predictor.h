// SPDX-License-Identifier: MIT
// A trained model in use: made once, then asked again and again while labels and classes change. Nothing is trained.
#pragma once

#include "heatfront/base/matrix.h"
#include "heatfront/flow/decide.h"
#include "heatfront/flow/labelled_flow.h"

namespace heatfront {

class Predictor {
 public:
  virtual ~Predictor() = default;

  // What it answers from: the model's front, with a column for every class there is now; lent.
  virtual void set_front(ConstMatrixView front) = 0;

  // What it says of every node with these labels known.
  virtual Answer answer(const KnownLabels& known) = 0;

  // The flow of heat whose end the answer is, which can explain it; null where it is none.
  virtual LabelledFlow* flow() { return nullptr; }

 protected:
  Predictor() = default;
  Predictor(const Predictor&) = default;
  Predictor& operator=(const Predictor&) = default;
};

}  // namespace heatfront
