// The graph that everything else reads.
#include "graph/graph.hpp"

#include <optional>

#include "arrays.hpp"
#include "base/thread_pool.hpp"
#include "modules.hpp"

namespace rlap {
namespace {

using AnyIn = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Index, class Weight>
Graph read_graph(const AnyIn& row, const AnyIn& col, const AnyIn* weight, std::int64_t nodes,
                 const In<std::int64_t>& first, bool symmetrize, int threads) {
    const EdgeList<Index, Weight> list{nodes,
                                       static_cast<std::int64_t>(row.shape(0)),
                                       static_cast<const Index*>(row.data()),
                                       static_cast<const Index*>(col.data()),
                                       weight ? static_cast<const Weight*>(weight->data()) : nullptr,
                                       static_cast<std::int64_t>(first.shape(0)) - 1,
                                       first.data()};
    return unlocked([&] {
        std::optional<ThreadPool> pool;
        if (threads > 1) pool.emplace(threads);
        return build_graph(list, symmetrize, pool ? &*pool : nullptr);
    });
}

void make_graph(Graph* self, const AnyIn& row, const AnyIn& col, const std::optional<AnyIn>& weight, std::int64_t nodes,
                const In<std::int64_t>& first, bool symmetrize, int threads, std::int64_t least_edges) {
    require(row.shape(0) == col.shape(0), "row and col must have the same length", row.shape(0), col.shape(0));
    require(!weight || weight->shape(0) == row.shape(0), "weight must have one value for every edge",
            weight ? weight->shape(0) : 0);
    require(first.shape(0) >= 2, "ptr must have two values at least", first.shape(0));
    const bool wide = row.dtype() == nb::dtype<std::int64_t>();
    require(row.dtype() == col.dtype() && (wide || row.dtype() == nb::dtype<std::int32_t>()),
            "row and col must both be int32 or both int64");
    const bool single = weight && weight->dtype() == nb::dtype<float>();
    require(!weight || single || weight->dtype() == nb::dtype<double>(), "weight must be float32 or float64");
    const AnyIn* values = weight ? &*weight : nullptr;
    const auto read = wide ? (single ? read_graph<std::int64_t, float> : read_graph<std::int64_t, double>)
                           : (single ? read_graph<std::int32_t, float> : read_graph<std::int32_t, double>);
    const bool shared = static_cast<std::int64_t>(row.shape(0)) >= least_edges;
    new (self) Graph(read(row, col, values, nodes, first, symmetrize, shared ? threads : 1));
}

}  // namespace

void bind_graph(nb::module_& module) {
    nb::class_<Graph>(module, "Graph")
        .def("__init__", &make_graph, "row"_a, "col"_a, "weight"_a.none(), "num_nodes"_a, "ptr"_a,
             "symmetrize"_a = false, "threads"_a = 1, "least_edges"_a = kLeastShared)
        .def_prop_ro("num_nodes", [](const Graph& graph) { return graph.nodes; })
        .def_prop_ro("num_edges", [](const Graph& graph) { return graph.neighbor.size(); })
        .def_prop_ro("num_graphs", &Graph::graphs)
        .def("rows", [](nb::handle_t<Graph> self) {
            const auto& graph = nb::cast<const Graph&>(self);
            return nb::make_tuple(look(graph.start, self), look(graph.neighbor, self),
                                  graph.weight.empty() ? nb::none() : nb::cast(look(graph.weight, self)));
        });
}

}  // namespace rlap
