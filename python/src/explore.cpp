// SPDX-License-Identifier: MIT
// The explorer without sockets, for a notebook's widget: questions of the page in, answers out.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <ctime>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "heatfront_explore/assets.h"
#include "heatfront_explore/explorer.h"
#include "heatfront_io/formats/model_file.h"
#include "long_call.h"
#include "parts.h"

namespace heatfront::python {

namespace nb = nanobind;

namespace {

class PythonExplorer {
 public:
  PythonExplorer(const nb::bytes& model, int threads_wanted)
      : threads_(threads_wanted), explorer_(long_call(threads_, [&] {
          const std::span view(static_cast<const std::byte*>(model.data()), model.size());
          return std::make_unique<explore::Explorer>(
              read_model(view, threads_),
              explore::ExplorerOptions{.clock = [] { return std::int64_t{std::time(nullptr)}; }}, threads_);
        })) {}

  explore::Reply handle(explore::Request request) {
    return long_call(threads_, [&] { return explorer_->handle(std::as_const(request)); });
  }

 private:
  Threads threads_;
  std::unique_ptr<explore::Explorer> explorer_;
};

}  // namespace

void add_explorer(nb::module_& module) {
  nb::class_<PythonExplorer>(module, "Explorer")
      .def(nb::init<const nb::bytes&, int>())
      .def(
          "handle",
          [](PythonExplorer& self, const std::string& method, const std::string& path,
             const std::map<std::string, std::string>& query, const std::string& body) {
            const explore::Reply reply =
                self.handle({.method = method, .path = path, .query = query, .body = body});
            return nb::make_tuple(reply.status, nb::bytes(reply.body.data(), reply.body.size()));
          },
          nb::sig("def handle(self, method: str, path: str, query: dict[str, str], body: str, /) -> "
                  "tuple[int, bytes]"));
  module.def("explorer_page", &explore::page_in_one);
  module.def("explorer_widget", [] { return std::string(explore::widget_module()); });
}

}  // namespace heatfront::python
