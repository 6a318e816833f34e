// SPDX-License-Identifier: MIT
// heatfront._core: the libraries as Python classes. Arrays and JSON go in and out; names, frames and pictures are made in Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "heatfront/base/error.h"
#include "heatfront/base/parallel.h"
#include "parts.h"

NB_MODULE(_core, module) {
  namespace nb = nanobind;
  nb::set_leak_warnings(false);  // exceptions that a user keeps hold on to objects at the end
  nb::exception<heatfront::Error>(module, "Error", PyExc_ValueError);
  module.def("available_cores", &heatfront::available_cores);
  heatfront::python::add_graph(module);
  heatfront::python::add_data(module);
  heatfront::python::add_flow(module);
  heatfront::python::add_model(module);
  heatfront::python::add_target_model(module);
  heatfront::python::add_explorer(module);
  heatfront::python::add_experiments(module);
}
