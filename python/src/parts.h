// SPDX-License-Identifier: MIT
// What the module is made of: each adds its classes and functions.
#pragma once

#include <nanobind/nanobind.h>

namespace heatfront::python {

void add_graph(nanobind::module_& module);
void add_data(nanobind::module_& module);
void add_flow(nanobind::module_& module);
void add_model(nanobind::module_& module);
void add_target_model(nanobind::module_& module);
void add_explorer(nanobind::module_& module);
void add_experiments(nanobind::module_& module);

}  // namespace heatfront::python
