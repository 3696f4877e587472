// Centralities and diffusions.
#include "diffusion/diffusion.hpp"

#include "arrays.hpp"
#include "diffusion/centrality.hpp"
#include "diffusion/pagerank.hpp"
#include "modules.hpp"

namespace rlap {
namespace {

template <class Run>
Out<double> give_values(const Run& run) {
    Buffer<double> values = unlocked(run);
    return give(values);
}

Out<double> run_degrees(const Graph& graph) {
    return give_values([&] { return degrees(graph); });
}

Out<double> run_eigenvector(const Graph& graph) {
    return give_values([&] { return eigenvector_centrality(graph); });
}

Out<double> run_pagerank(const Graph& graph, double alpha, double tol) {
    require(alpha >= 0 && alpha < 1, "alpha must lie in [0, 1)");
    require(tol > 0, "tol must be positive");
    return give_values([&] { return pagerank(graph, alpha, tol); });
}

template <class Run>
nb::tuple give_rows(const Run& run) {
    auto rows = unlocked(run);
    return nb::make_tuple(give(rows.start), give(rows.column), give(rows.value));
}

nb::tuple run_ppr(const Graph& graph, double alpha, const Diffusion& diffusion, bool single) {
    if (single) return give_rows([&] { return diffuse_ppr<float>(graph, alpha, diffusion); });
    return give_rows([&] { return diffuse_ppr<double>(graph, alpha, diffusion); });
}

nb::tuple run_grounded(const Graph& graph, const In<double>& ground, const In<double>& scale,
                       const Diffusion& diffusion, double single) {
    const auto nodes = static_cast<std::size_t>(graph.nodes);
    require(ground.shape(0) == nodes && scale.shape(0) == nodes, "ground and scale must have one value for every node",
            ground.shape(0), scale.shape(0));
    require(!diffusion.symmetric && !diffusion.self_loops, "a grounded Laplacian has no transition and no self-loops");
    const Buffer<double> leak = copy(ground), scales = copy(scale);
    const GroundedTask task{graph, leak.data(), scales.data(), single};
    if (fits_single(task, diffusion)) return give_rows([&] { return diffuse_grounded<float>(task, diffusion); });
    return give_rows([&] { return diffuse_grounded<double>(task, diffusion); });
}

nb::tuple run_series(const Graph& graph, const std::vector<double>& coefficient, double tail,
                     const Diffusion& diffusion, bool single) {
    require(!coefficient.empty(), "a series needs a coefficient");
    if (single) return give_rows([&] { return diffuse_series<float>(graph, coefficient, tail, diffusion); });
    return give_rows([&] { return diffuse_series<double>(graph, coefficient, tail, diffusion); });
}

}  // namespace

void bind_diffusion(nb::module_& module) {
    module.def("degrees", &run_degrees, "graph"_a);
    module.def("eigenvector_centrality", &run_eigenvector, "graph"_a);
    module.def("pagerank", &run_pagerank, "graph"_a, "alpha"_a, "tol"_a);
    nb::class_<Diffusion>(module, "Diffusion")
        .def(nb::init<bool, bool, double, double, int>(), "symmetric"_a, "self_loops"_a, "eps"_a, "tol"_a, "threads"_a);
    module.def("diffuse_ppr", &run_ppr, "graph"_a, "alpha"_a, "diffusion"_a, "single"_a);
    module.def("diffuse_grounded", &run_grounded, "graph"_a, "ground"_a, "scale"_a, "diffusion"_a, "single"_a);
    module.def("diffuse_series", &run_series, "graph"_a, "coefficient"_a, "tail"_a, "diffusion"_a, "single"_a);
}

}  // namespace rlap
