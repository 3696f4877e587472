// What each file here adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace rlap {

void bind_graph(nanobind::module_& module);
void bind_edges(nanobind::module_& module);
void bind_views(nanobind::module_& module);
void bind_diffusion(nanobind::module_& module);
void bind_walks(nanobind::module_& module);
void bind_parts(nanobind::module_& module);
void bind_layers(nanobind::module_& module);
void bind_memory(nanobind::module_& module);

}  // namespace rlap
