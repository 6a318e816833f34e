// SPDX-License-Identifier: MIT
// How heat-front weighs the edges, behind one type. With w⁰ the data's own weights, or 1:
//
//     none        w_uv = w⁰_uv
//     free        w_uv = w⁰_uv sigmoid((θ_uv + θ_vu)/2), one θ for each arc (graph/edge_weights.h)
//     features    w_uv = w⁰_uv sigmoid(s(x_u, x_v)), a similarity of the two nodes' features (models/similarity.h)
//
// A similarity is there for edges and nodes that training never saw; weights of their own are not.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heatfront/base/options.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/random.h"
#include "heatfront/models/heat_front_options.h"
#include "heatfront/models/model_rows.h"
#include "heatfront/models/trained_model.h"
#include "heatfront/nn/parameters.h"

namespace heatfront {

class EdgeWeighting {
 public:
  virtual ~EdgeWeighting() = default;

  virtual bool learns() const { return true; }        // if not, only weights() and keep() are asked for
  virtual std::span<const Real> weights() const = 0;  // by arc, as prepare() left them; empty: all 1
  virtual void initialise(const Random&, std::span<Real>) const {}
  virtual void prepare(std::span<const Real>) {}

  // d_weights: ∂L/∂w of the edge, at both of its arcs. Writes its part of the gradient.
  virtual void backward(std::span<const Real>, std::span<const Real>, std::span<Real>) {}

  // Its matrices among those of a block of numbers by parameter: of this rank's arcs → of all arcs on the first rank, and back. Collective.
  virtual void gather(std::vector<NamedMatrix>&) const {}
  virtual void share_out(std::vector<NamedMatrix>&) const {}

  // Sets weights and θ, of all ranks on the first one; model.network comes with all parameters of the layout. Collective.
  virtual void keep(std::span<const Real> parameters, TrainedModel& model) const = 0;

 protected:
  EdgeWeighting() = default;
  EdgeWeighting(const EdgeWeighting&) = default;
  EdgeWeighting& operator=(const EdgeWeighting&) = default;
};

// The setting that chooses among them.
OptionField edge_weights_field(std::string& kind);

// Adds its parameters to the layout, those of arcs for the arcs of these rows alone; the rows are lent and must outlive it. Collective.
std::unique_ptr<EdgeWeighting> make_edge_weighting(const HeatFrontOptions& options, const ModelRows& rows,
                                                   ParameterLayout& layout, Threads& threads);

// What a trained model gives to the edges of any data set with the same features (its own, with nodes and edges added, or
// another one): the data's own weights times what was learned, by arc; empty: all 1. Error where weights were learned edge by
// edge (`free`) and the graph is not the one of training.
std::vector<Real> weights_for(const TrainedModel& model, const Dataset& dataset, Threads& threads);

}  // namespace heatfront
