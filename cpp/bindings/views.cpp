// Views: by elimination, by walks, and what an elimination leaves behind.
#include <cmath>
#include <optional>

#include "arrays.hpp"
#include "base/random.hpp"
#include "base/thread_pool.hpp"
#include "modules.hpp"
#include "schur/eliminate.hpp"
#include "schur/terminal.hpp"

namespace rlap {
namespace {

using EdgeIndex = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>;

nb::tuple give(View& view) {
    const auto edges = static_cast<std::size_t>(view.edges);
    std::int64_t* const index = view.edge_index.data() + view.front;
    nb::object edge_index = nb::cast(EdgeIndex(index, {2, edges}, owner(view.edge_index)));
    nb::object weight = view.single ? nb::cast(give(view.weight_single)) : nb::cast(give(view.weight));
    nb::object node_mask = nb::cast(give_mask(view.node_mask));
    nb::object ground = view.grounded ? nb::cast(give(view.ground)) : nb::none();
    return nb::make_tuple(edge_index, weight, node_mask, ground);
}

// A weight to the ground for every node, or none at all.
struct Ground {
    bool given;
    Buffer<double> weight;

    Ground(const Graph& graph, const std::optional<In<double>>& ground) : given(ground) {
        if (!given) return;
        weight = copy(*ground);
        require(weight.size() == static_cast<std::size_t>(graph.nodes), "ground must have one value for every node",
                weight.size());
        double total = graph.total;  // of both directions, as the ground is counted too
        for (const double value : weight) {
            require(value >= 0 && std::isfinite(value), "ground must be finite and not negative", value);
            total += 2 * value;
        }
        require(std::isfinite(total), "edge_weight and ground must have a finite sum, both directions counted", total);
    }
    const double* data() const { return given ? weight.data() : nullptr; }
};

// How the nodes to eliminate were chosen: candidates (None: all), grouped by graph, and how many of them go in each
// view.
class Choice {
  public:
    Choice(const Graph& graph, NodeOrder order, const std::optional<In<Node>>& nodes,
           const std::optional<In<std::int64_t>>& begin, const In2<std::int64_t>& count)
        : order_(order), graphs_(graph.graphs()), given_(nodes), count_(copy(count)) {
        require(count.shape(1) == graphs_, "count must have one column for every graph", count.shape(1));
        require(nodes.has_value() == begin.has_value(), "nodes and begin go together");
        require(given_ || order != NodeOrder::given, "a given order needs nodes");
        if (given_) {
            nodes_ = copy(*nodes);
            begin_ = copy(*begin);
            check_nodes(graph);
        }
        for (std::size_t i = 0; i < count_.size(); ++i) {
            const std::size_t g = i % graphs_;
            const std::int64_t most = given_ ? begin_[g + 1] - begin_[g] : graph.first[g + 1] - graph.first[g];
            require(count_[i] >= 0 && count_[i] <= most, "count must lie between 0 and the number of candidates",
                    count_[i]);
        }
    }
    Selection selection(std::size_t view) const {
        return {order_, given_ ? nodes_.data() : nullptr, given_ ? begin_.data() : nullptr,
                count_.data() + view * graphs_};
    }

  private:
    void check_nodes(const Graph& graph) const {
        const auto size = static_cast<std::int64_t>(nodes_.size());
        require(begin_.size() == graphs_ + 1 && begin_[0] == 0 && begin_[graphs_] == size,
                "begin must rise from 0 to the number of nodes given", size);
        Buffer<std::uint8_t> seen(graph.nodes, 0);
        for (std::size_t g = 0; g < graphs_; ++g) {
            require(begin_[g] <= begin_[g + 1], "begin must not fall", begin_[g], begin_[g + 1]);
            require(begin_[g + 1] <= size, "begin must not pass the number of nodes given", begin_[g + 1]);
            for (std::int64_t i = begin_[g]; i < begin_[g + 1]; ++i) {
                const Node u = nodes_[i];
                require(u >= graph.first[g] && u < graph.first[g + 1], "a node must belong to its graph", u);
                require(!seen[u], "a node may be given only once", u);
                seen[u] = 1;
            }
        }
    }

    NodeOrder order_;
    std::size_t graphs_;
    bool given_;
    Buffer<Node> nodes_;
    Buffer<std::int64_t> begin_, count_;
};

nb::list run_views(const Graph& graph, const In2<std::int64_t>& count, const In<std::uint64_t>& seeds,
                   const std::optional<In<Node>>& nodes, const std::optional<In<std::int64_t>>& begin,
                   NodeOrder node_order, NeighborOrder neighbor_order, const std::optional<In<double>>& ground,
                   bool relabel, bool single, int threads, std::int64_t least_edges) {
    const Choice choice(graph, node_order, nodes, begin, count);
    require(seeds.shape(0) == count.shape(0), "every view needs a seed", seeds.shape(0));
    const Ground leak(graph, ground);
    std::vector<Task> tasks;
    for (std::size_t v = 0; v < count.shape(0); ++v)
        tasks.push_back({graph,
                         choice.selection(v),
                         neighbor_order,
                         seeds(v),
                         leak.data(),
                         {relabel, single, leak.given},
                         {},
                         false});
    std::vector<View> views = unlocked([&] { return eliminate_all(tasks, threads, least_edges); });
    nb::list result;
    for (View& view : views) result.append(give(view));
    return result;
}

nb::tuple run_tracked(const Graph& graph, const In2<std::int64_t>& count, std::uint64_t seed,
                      const std::optional<In<Node>>& nodes, const std::optional<In<std::int64_t>>& begin,
                      NodeOrder node_order, NeighborOrder neighbor_order, const std::optional<In<double>>& ground,
                      const std::vector<std::int64_t>& stops, bool columns, bool single) {
    const Choice choice(graph, node_order, nodes, begin, count);
    require(count.shape(0) == 1, "count must have one row", count.shape(0));
    require(stops.empty() || graph.graphs() == 1, "stops need a single graph", graph.graphs());
    for (std::size_t i = 0; i < stops.size(); ++i)
        require(stops[i] >= (i ? stops[i - 1] : 0), "stops must rise from 0", stops[i]);
    const Ground leak(graph, ground);
    const Output output{false, single, leak.given};
    const Task task{graph, choice.selection(0), neighbor_order, seed, leak.data(), output, stops, columns};
    Elimination done = unlocked([&] { return eliminate(task, 0, graph.graphs()); });
    nb::list snapshots;
    for (View& view : done.snapshots) snapshots.append(give(view));
    return nb::make_tuple(give(done.view), snapshots, nb::cast(std::move(done.columns)));
}

nb::tuple run_walks(const Graph& graph, const In<bool>& keep, std::uint64_t seed,
                    const std::optional<In<double>>& ground, bool relabel, bool single, int threads,
                    std::int64_t least_edges) {
    require(keep.shape(0) == static_cast<std::size_t>(graph.nodes), "keep must have one value for every node",
            keep.shape(0));
    const Ground leak(graph, ground);
    const Buffer<std::uint8_t> mask = copy(keep);
    const Output output{relabel, single, leak.given};
    const WalkTask task{graph, mask.data(), seed, leak.data(), output, threads, least_edges};
    View view = unlocked([&] { return walk_schur(task); });
    return give(view);
}

// A random half, or whatever `count` asks for, of every graph: the nodes that random elimination would take.
Out<bool> choose_kept(const Graph& graph, const In2<std::int64_t>& count, std::uint64_t seed) {
    const std::optional<In<Node>> nodes;
    const std::optional<In<std::int64_t>> begin;
    const Choice choice(graph, NodeOrder::random, nodes, begin, count);
    require(count.shape(0) == 1, "count must have one row", count.shape(0));
    Buffer<std::uint8_t> keep(graph.nodes, 1);
    for (std::int64_t g = 0; g < graph.graphs(); ++g)
        for (const Node u : known_order(graph, choice.selection(0), g, seed)) keep[u] = 0;
    return give_mask(keep);
}

Out<double> solve(const Columns& columns, const In<double>& b) {
    const std::size_t size = b.shape(0);
    for (const Node x : columns.node)
        require(static_cast<std::size_t>(x) < size, "b must have one value for every node", size);
    for (const Node x : columns.neighbor)
        require(static_cast<std::size_t>(x) <= size, "b must have one value for every node", size);
    Buffer<double> x(size + 1);
    std::copy_n(b.data(), size, x.begin());
    unlocked([&] { columns.solve(x.data(), size); });
    x.resize(size);
    return give(x);
}

}  // namespace

void bind_views(nb::module_& module) {
    nb::enum_<NodeOrder>(module, "NodeOrder")
        .value("random", NodeOrder::random)
        .value("degree", NodeOrder::degree)
        .value("given", NodeOrder::given);
    nb::enum_<NeighborOrder>(module, "NeighborOrder")
        .value("asc", NeighborOrder::ascending)
        .value("desc", NeighborOrder::descending)
        .value("random", NeighborOrder::random)
        .value("coarsen", NeighborOrder::coarsen);

    nb::class_<Columns>(module, "Columns")
        .def_prop_ro("node", [](nb::handle_t<Columns> self) { return look(nb::cast<Columns&>(self).node, self); })
        .def_prop_ro("total", [](nb::handle_t<Columns> self) { return look(nb::cast<Columns&>(self).total, self); })
        .def_prop_ro("begin", [](nb::handle_t<Columns> self) { return look(nb::cast<Columns&>(self).begin, self); })
        .def_prop_ro("neighbor",
                     [](nb::handle_t<Columns> self) { return look(nb::cast<Columns&>(self).neighbor, self); })
        .def_prop_ro("weight", [](nb::handle_t<Columns> self) { return look(nb::cast<Columns&>(self).weight, self); })
        .def("solve", &solve, "b"_a);

    module.def("eliminate", &run_views, "graph"_a, "count"_a, "seeds"_a, "nodes"_a.none(), "begin"_a.none(),
               "node_order"_a, "neighbor_order"_a, "ground"_a.none(), "relabel"_a, "single"_a, "threads"_a,
               "least_edges"_a = kLeastShared);
    module.def("eliminate_tracked", &run_tracked, "graph"_a, "count"_a, "seed"_a, "nodes"_a.none(), "begin"_a.none(),
               "node_order"_a, "neighbor_order"_a, "ground"_a.none(), "stops"_a, "columns"_a, "single"_a);
    module.def("walk", &run_walks, "graph"_a, "keep"_a, "seed"_a, "ground"_a.none(), "relabel"_a, "single"_a,
               "threads"_a, "least_edges"_a = kLeastShared);
    module.def("choose_kept", &choose_kept, "graph"_a, "count"_a, "seed"_a);
    module.def("derive_seed", &derive_seed, "seed"_a, "view"_a, "graph"_a);
}

}  // namespace rlap
