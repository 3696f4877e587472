// The Python surface. Checks shapes and ranges, so that no call can read out of bounds; rules that concern values are
// checked where the values are read.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>
#include <sstream>
#include <string>

#include "batch.hpp"
#include "centrality.hpp"
#include "cluster.hpp"
#include "coins.hpp"
#include "diffusion.hpp"
#include "eliminate.hpp"
#include "factor.hpp"
#include "graph.hpp"
#include "pagerank.hpp"
#include "part.hpp"
#include "team.hpp"
#include "terminal.hpp"
#include "walks.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rlap {
namespace {

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using In2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using AnyIn = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using EdgeIndex = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>;

// The rule, and the value or values that break it.
template <class... Got>
void require(bool holds, const char* rule, const Got&... got) {
    if (holds) return;
    std::ostringstream message;
    message << rule;
    const char* gap = " (got ";
    ((message << std::exchange(gap, ", ") << got), ...);
    if (sizeof...(got) > 0) message << ")";
    throw std::invalid_argument(message.str());
}

template <class T>
Out<T> give(Buffer<T>& buffer) {
    const std::size_t size = buffer.size();
    T* data = buffer.release();
    return Out<T>(data, {size}, nb::capsule(data, [](void* block) noexcept { std::free(block); }));
}

nb::tuple give(View& view) {
    const auto edges = static_cast<std::size_t>(view.edges);
    std::int64_t* index = view.edge_index.release();
    nb::object edge_index = nb::cast(
        EdgeIndex(index + view.front, {2, edges}, nb::capsule(index, [](void* block) noexcept { std::free(block); })));
    nb::object weight = view.single ? nb::cast(give(view.weight_single)) : nb::cast(give(view.weight));
    const std::size_t nodes = view.node_mask.size();
    auto* mask = reinterpret_cast<bool*>(view.node_mask.release());
    nb::object node_mask =
        nb::cast(Out<bool>(mask, {nodes}, nb::capsule(mask, [](void* block) noexcept { std::free(block); })));
    nb::object ground = view.grounded ? nb::cast(give(view.ground)) : nb::none();
    return nb::make_tuple(edge_index, weight, node_mask, ground);
}

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
    nb::gil_scoped_release release;
    std::optional<Team> team;
    if (threads > 1) team.emplace(threads);
    return build_graph(list, symmetrize, team ? &*team : nullptr);
}

void make_graph(Graph* self, const AnyIn& row, const AnyIn& col, const std::optional<AnyIn>& weight, std::int64_t nodes,
                const In<std::int64_t>& first, bool symmetrize, int threads, std::int64_t least_edges) {
    require(row.shape(0) == col.shape(0), "row and col must have the same length", row.shape(0), col.shape(0));
    require(!weight || weight->shape(0) == row.shape(0), "weight must have one value for every edge",
            weight ? weight->shape(0) : 0);
    require(first.shape(0) >= 2 && first(0) == 0 && first(first.shape(0) - 1) == nodes,
            "ptr must rise from 0 to num_nodes", nodes);
    for (std::size_t g = 0; g + 1 < first.shape(0); ++g)
        require(first(g) <= first(g + 1), "ptr must not fall", first(g), first(g + 1));
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

const double* check_ground(const Graph& graph, const std::optional<In<double>>& ground) {
    if (!ground) return nullptr;
    require(ground->shape(0) == static_cast<std::size_t>(graph.nodes), "ground must have one value for every node",
            ground->shape(0));
    double total = graph.total;
    for (std::size_t u = 0; u < ground->shape(0); ++u) {
        require((*ground)(u) >= 0 && std::isfinite((*ground)(u)), "ground must be finite and not negative",
                (*ground)(u));
        total += (*ground)(u);
    }
    require(std::isfinite(total), "edge_weight and ground must have a finite sum", total);
    return ground->data();
}

// How the nodes to eliminate were chosen: candidates (None: all), grouped by graph, and how many of them go in each
// view.
struct Choice {
    NodeOrder order;
    const std::optional<In<Node>>& nodes;
    const std::optional<In<std::int64_t>>& begin;
    const In2<std::int64_t>& count;

    void check(const Graph& graph) const {
        const auto graphs = static_cast<std::size_t>(graph.graphs());
        require(count.shape(1) == graphs, "count must have one column for every graph", count.shape(1));
        require(nodes.has_value() == begin.has_value(), "nodes and begin go together");
        require(nodes || order != NodeOrder::given, "a given order needs nodes");
        if (nodes) {
            require(begin->shape(0) == graphs + 1 && (*begin)(0) == 0 &&
                        (*begin)(graphs) == static_cast<std::int64_t>(nodes->shape(0)),
                    "begin must rise from 0 to the number of nodes given", nodes->shape(0));
            Buffer<std::uint8_t> seen(graph.nodes, 0);
            for (std::size_t g = 0; g < graphs; ++g) {
                require((*begin)(g) <= (*begin)(g + 1), "begin must not fall", (*begin)(g), (*begin)(g + 1));
                require((*begin)(g + 1) <= (*begin)(graphs), "begin must not pass the number of nodes given",
                        (*begin)(g + 1));
                for (std::int64_t i = (*begin)(g); i < (*begin)(g + 1); ++i) {
                    const Node u = (*nodes)(i);
                    require(u >= graph.first[g] && u < graph.first[g + 1], "a node must belong to its graph", u);
                    require(!seen[u], "a node may be given only once", u);
                    seen[u] = 1;
                }
            }
        }
        for (std::size_t v = 0; v < count.shape(0); ++v)
            for (std::size_t g = 0; g < graphs; ++g) {
                const std::int64_t most = nodes ? (*begin)(g + 1) - (*begin)(g) : graph.first[g + 1] - graph.first[g];
                require(count(v, g) >= 0 && count(v, g) <= most,
                        "count must lie between 0 and the number of candidates", count(v, g));
            }
    }
    Selection selection(std::size_t view) const {
        return {order, nodes ? nodes->data() : nullptr, begin ? begin->data() : nullptr, &count(view, 0)};
    }
};

nb::list run_views(const Graph& graph, const In2<std::int64_t>& count, const In<std::uint64_t>& seeds,
                   const std::optional<In<Node>>& nodes, const std::optional<In<std::int64_t>>& begin,
                   NodeOrder node_order, NeighborOrder neighbor_order, const std::optional<In<double>>& ground,
                   bool relabel, bool single, int threads, std::int64_t least_edges) {
    const Choice choice{node_order, nodes, begin, count};
    choice.check(graph);
    require(seeds.shape(0) == count.shape(0), "every view needs a seed", seeds.shape(0));
    const double* leak = check_ground(graph, ground);
    std::vector<Task> tasks;
    for (std::size_t v = 0; v < count.shape(0); ++v)
        tasks.push_back({graph,
                         choice.selection(v),
                         neighbor_order,
                         seeds(v),
                         leak,
                         {relabel, single, leak != nullptr},
                         {},
                         false});
    std::vector<View> views;
    {
        nb::gil_scoped_release release;
        views = eliminate_all(tasks, threads, least_edges);
    }
    nb::list result;
    for (View& view : views) result.append(give(view));
    return result;
}

nb::tuple run_tracked(const Graph& graph, const In2<std::int64_t>& count, std::uint64_t seed,
                      const std::optional<In<Node>>& nodes, const std::optional<In<std::int64_t>>& begin,
                      NodeOrder node_order, NeighborOrder neighbor_order, const std::optional<In<double>>& ground,
                      const std::vector<std::int64_t>& stops, bool columns, bool single) {
    const Choice choice{node_order, nodes, begin, count};
    choice.check(graph);
    require(count.shape(0) == 1, "count must have one row", count.shape(0));
    require(stops.empty() || graph.graphs() == 1, "stops need a single graph", graph.graphs());
    for (std::size_t i = 0; i < stops.size(); ++i)
        require(stops[i] >= (i ? stops[i - 1] : 0), "stops must rise from 0", stops[i]);
    const double* leak = check_ground(graph, ground);
    const Task task{graph,  choice.selection(0), neighbor_order, seed, leak, {false, single, leak != nullptr}, stops,
                    columns};
    Elimination done;
    {
        nb::gil_scoped_release release;
        done = eliminate(task, 0, graph.graphs());
    }
    nb::list snapshots;
    for (View& view : done.snapshots) snapshots.append(give(view));
    return nb::make_tuple(give(done.view), snapshots, nb::cast(std::move(done.columns)));
}

nb::tuple run_walks(const Graph& graph, const In<bool>& keep, std::uint64_t seed,
                    const std::optional<In<double>>& ground, bool relabel, bool single, int threads,
                    std::int64_t least_edges) {
    require(keep.shape(0) == static_cast<std::size_t>(graph.nodes), "keep must have one value for every node",
            keep.shape(0));
    const double* leak = check_ground(graph, ground);
    const auto* mask = reinterpret_cast<const std::uint8_t*>(keep.data());
    const WalkTask task{graph, mask, seed, leak, {relabel, single, leak != nullptr}, threads, least_edges};
    View view;
    {
        nb::gil_scoped_release release;
        view = walk_schur(task);
    }
    return give(view);
}

// A random half, or whatever `count` asks for, of every graph: the nodes that random elimination would take.
Out<bool> choose_kept(const Graph& graph, const In2<std::int64_t>& count, std::uint64_t seed) {
    const std::optional<In<Node>> nodes;
    const std::optional<In<std::int64_t>> begin;
    const Choice choice{NodeOrder::random, nodes, begin, count};
    choice.check(graph);
    require(count.shape(0) == 1, "count must have one row", count.shape(0));
    const std::size_t size = graph.nodes;
    auto* mask = static_cast<bool*>(std::malloc(size ? size : 1));
    Out<bool> keep(mask, {size}, nb::capsule(mask, [](void* block) noexcept { std::free(block); }));
    std::fill_n(mask, size, true);
    for (std::int64_t g = 0; g < graph.graphs(); ++g)
        for (const Node u : known_order(graph, choice.selection(0), g, seed)) mask[u] = false;
    return keep;
}

template <class T>
nb::ndarray<nb::numpy, const T, nb::ndim<1>> look(const Buffer<T>& buffer, nb::handle owner) {
    return {buffer.data(), {buffer.size()}, owner};
}

Out<double> solve(const Columns& columns, const In<double>& b) {
    const std::size_t size = b.shape(0);
    for (const Node x : columns.node)
        require(static_cast<std::size_t>(x) < size, "b must have one value for every node", size);
    for (const Node x : columns.neighbor)
        require(static_cast<std::size_t>(x) <= size, "b must have one value for every node", size);
    Buffer<double> x(size + 1);
    std::copy_n(b.data(), size, x.begin());
    {
        nb::gil_scoped_release release;
        solve_factor(columns, x.data(), size);
    }
    x.resize(size);
    return give(x);
}

template <class Run>
Out<double> give_values(const Run& run) {
    Buffer<double> values;
    {
        nb::gil_scoped_release release;
        values = run();
    }
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
    auto rows = [&] {
        nb::gil_scoped_release release;
        return run();
    }();
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
    const GroundedTask task{graph, ground.data(), scale.data(), single};
    if (fits_single(task, diffusion)) return give_rows([&] { return diffuse_grounded<float>(task, diffusion); });
    return give_rows([&] { return diffuse_grounded<double>(task, diffusion); });
}

nb::tuple run_series(const Graph& graph, const std::vector<double>& coefficient, double tail,
                     const Diffusion& diffusion, bool single) {
    require(!coefficient.empty(), "a series needs a coefficient");
    if (single) return give_rows([&] { return diffuse_series<float>(graph, coefficient, tail, diffusion); });
    return give_rows([&] { return diffuse_series<double>(graph, coefficient, tail, diffusion); });
}

RestartTask check_walks(const Graph& graph, const In<Node>& start, std::int64_t steps, double restart, bool uniform,
                        std::uint64_t seed, int threads) {
    for (std::size_t w = 0; w < start.shape(0); ++w)
        require(start(w) >= 0 && start(w) < graph.nodes, "a walk must start at a node");
    require(steps >= 0, "steps must not be negative");
    return {graph, start.data(), static_cast<std::int64_t>(start.shape(0)), steps, restart, uniform, seed, threads};
}

Out<std::int64_t> run_restarting(const Graph& graph, const In<Node>& start, std::int64_t steps, double restart,
                                 bool uniform, std::uint64_t seed, int threads) {
    const RestartTask task = check_walks(graph, start, steps, restart, uniform, seed, threads);
    Buffer<std::int64_t> places;
    {
        nb::gil_scoped_release release;
        places = walk_restarting(task);
    }
    return give(places);
}

Out<bool> run_visiting(const Graph& graph, const In<Node>& start, std::int64_t steps, double restart, bool uniform,
                       std::uint64_t seed, int threads) {
    const RestartTask task = check_walks(graph, start, steps, restart, uniform, seed, threads);
    Buffer<std::uint8_t> seen;
    {
        nb::gil_scoped_release release;
        seen = visit_restarting(task);
    }
    const std::size_t size = seen.size();
    auto* mask = reinterpret_cast<bool*>(seen.release());
    return Out<bool>(mask, {size}, nb::capsule(mask, [](void* block) noexcept { std::free(block); }));
}

Out<double> run_coins(const In<std::int64_t>& row, const In<std::int64_t>& col, const In<std::int64_t>& first,
                      const In<std::uint64_t>& start, bool directed) {
    require(row.shape(0) == col.shape(0), "row and col must be equally long", row.shape(0), col.shape(0));
    require(first.shape(0) == start.shape(0) + 1, "first must have one value more than start", first.shape(0),
            start.shape(0));
    require(start.shape(0) > 0 || row.shape(0) == 0, "edges must belong to a graph (got no graph)");
    for (std::size_t g = 0; g < start.shape(0); ++g)
        require(first.data()[g] <= first.data()[g + 1], "first must not fall", first.data()[g], first.data()[g + 1]);
    Buffer<double> numbers;
    {
        nb::gil_scoped_release release;
        numbers = toss({static_cast<std::int64_t>(row.shape(0)), row.data(), col.data(),
                        static_cast<std::int64_t>(start.shape(0)), first.data(), start.data(), directed});
    }
    return give(numbers);
}

void check_part_nodes(const In<Node>& places, std::int64_t nodes) {
    for (std::size_t i = 0; i < places.shape(0); ++i)
        require(places(i) >= 0 && places(i) < nodes, "a node must lie in its part", places(i));
}

nb::tuple run_part(const In<Node>& source, const In<Node>& target, const In<double>& weight, const In<bool>& filled,
                   const In<std::int64_t>& id, const In<Node>& order, NeighborOrder neighbor_order,
                   std::uint64_t seed) {
    const std::size_t edges = source.shape(0), nodes = id.shape(0);
    require(target.shape(0) == edges && weight.shape(0) == edges && filled.shape(0) == edges,
            "source, target, weight and filled must have the same length", edges);
    require(nodes < std::size_t{1} << 31, "a part must have fewer than 2**31 nodes", nodes);
    check_part_nodes(source, static_cast<std::int64_t>(nodes));
    check_part_nodes(target, static_cast<std::int64_t>(nodes));
    check_part_nodes(order, static_cast<std::int64_t>(nodes));
    Buffer<std::uint8_t> seen(nodes, 0);
    for (std::size_t i = 0; i < order.shape(0); ++i)
        require(!std::exchange(seen[order(i)], 1), "a node may be given only once", order(i));
    for (std::size_t u = 1; u < nodes; ++u) require(id(u) > id(u - 1), "ids must rise", id(u));
    PartEdges left;
    {
        nb::gil_scoped_release release;
        const RawEdges raw{static_cast<std::int64_t>(edges), source.data(), target.data(), weight.data(),
                           reinterpret_cast<const std::uint8_t*>(filled.data())};
        left = merge_edges(raw, static_cast<Node>(nodes));
        if (order.shape(0) > 0)
            left = eliminate_part({left, static_cast<Node>(nodes), id.data(), order.data(),
                                   static_cast<Node>(order.shape(0)), neighbor_order, seed});
    }
    const std::size_t size = left.filled.size();
    auto* mask = reinterpret_cast<bool*>(left.filled.release());
    Out<bool> flags(mask, {size}, nb::capsule(mask, [](void* block) noexcept { std::free(block); }));
    return nb::make_tuple(give(left.low), give(left.high), give(left.weight), flags);
}

nb::tuple run_part_walks(const In<std::int64_t>& start, const In<Node>& to, const In<double>& weight,
                         const In<std::uint64_t>& key, const In<std::int64_t>& step, const In<Node>& place,
                         const In<double>& length) {
    require(start.shape(0) >= 1 && start(0) == 0, "start must rise from 0");
    const std::size_t nodes = start.shape(0) - 1, walks = key.shape(0);
    for (std::size_t u = 0; u < nodes; ++u) require(start(u) <= start(u + 1), "start must not fall", start(u + 1));
    require(start(nodes) == static_cast<std::int64_t>(to.shape(0)) && weight.shape(0) == to.shape(0),
            "to and weight must have one value for every edge", to.shape(0), weight.shape(0));
    for (std::size_t e = 0; e < to.shape(0); ++e)
        require(to(e) < static_cast<std::int64_t>(nodes), "an edge must lead to a node of the part or an exit", to(e));
    require(step.shape(0) == walks && place.shape(0) == walks && length.shape(0) == walks,
            "key, step, place and length must have the same length", walks);
    check_part_nodes(place, static_cast<std::int64_t>(nodes));
    Buffer<std::int64_t> steps(walks);
    Buffer<Node> places(walks);
    Buffer<double> lengths(walks);
    std::copy_n(step.data(), walks, steps.begin());
    std::copy_n(place.data(), walks, places.begin());
    std::copy_n(length.data(), walks, lengths.begin());
    {
        nb::gil_scoped_release release;
        walk_part({start.data(), to.data(), weight.data(), static_cast<std::int64_t>(walks), key.data(), steps.data(),
                   places.data(), lengths.data()},
                  static_cast<Node>(nodes));
    }
    return nb::make_tuple(give(steps), give(places), give(lengths));
}

template <class T>
using InOut = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void run_clusters(const In<std::int64_t>& source, const In<std::int64_t>& target, const InOut<std::int64_t>& cluster,
                  const InOut<std::int32_t>& degree, const InOut<std::int64_t>& volume, std::int64_t most, bool count) {
    const auto nodes = static_cast<std::int64_t>(cluster.shape(0));
    require(source.shape(0) == target.shape(0), "source and target must have the same length", source.shape(0));
    require(degree.shape(0) == cluster.shape(0) && volume.shape(0) == cluster.shape(0),
            "cluster, degree and volume must have one value for every node", nodes);
    for (std::size_t e = 0; e < source.shape(0); ++e)
        require(source(e) >= 0 && source(e) < nodes && target(e) >= 0 && target(e) < nodes, "an edge must join nodes",
                source(e), target(e));
    for (std::int64_t u = 0; u < nodes; ++u)
        require(cluster(u) >= -1 && cluster(u) < nodes, "a cluster must have the number of a node", cluster(u));
    if (!count)
        for (std::size_t e = 0; e < source.shape(0); ++e)
            require(cluster(source(e)) >= 0 && cluster(target(e)) >= 0, "edges must be counted first");
    nb::gil_scoped_release release;
    cluster_edges({static_cast<std::int64_t>(source.shape(0)), source.data(), target.data(), cluster.data(),
                   degree.data(), volume.data(), most, count});
}

}  // namespace
}  // namespace rlap

NB_MODULE(_core, module) {
    using namespace rlap;
    // glibc hands freed memory back to the system above a threshold that follows the largest block ever freed. A block
    // of this size, never touched, sets it so that calls do not pay for the same pages again and again.
    void* volatile untouched = std::malloc(std::size_t{24} << 20);
    std::free(untouched);

    nb::enum_<NodeOrder>(module, "NodeOrder")
        .value("random", NodeOrder::random)
        .value("degree", NodeOrder::degree)
        .value("given", NodeOrder::given);
    nb::enum_<NeighborOrder>(module, "NeighborOrder")
        .value("asc", NeighborOrder::ascending)
        .value("desc", NeighborOrder::descending)
        .value("random", NeighborOrder::random)
        .value("coarsen", NeighborOrder::coarsen);

    nb::class_<Graph>(module, "Graph")
        .def("__init__", &make_graph, "row"_a, "col"_a, "weight"_a.none(), "num_nodes"_a, "ptr"_a,
             "symmetrize"_a = false, "threads"_a = 1, "least_edges"_a = kLeastShared)
        .def_prop_ro("num_nodes", [](const Graph& graph) { return graph.nodes; })
        .def_prop_ro("num_edges", [](const Graph& graph) { return graph.neighbor.size(); })
        .def_prop_ro("num_graphs", &Graph::graphs);

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
    module.def("degrees", &run_degrees, "graph"_a);
    module.def("eigenvector_centrality", &run_eigenvector, "graph"_a);
    module.def("pagerank", &run_pagerank, "graph"_a, "alpha"_a, "tol"_a);
    nb::class_<Diffusion>(module, "Diffusion")
        .def(nb::init<bool, bool, double, double, int>(), "symmetric"_a, "self_loops"_a, "eps"_a, "tol"_a, "threads"_a);
    module.def("diffuse_ppr", &run_ppr, "graph"_a, "alpha"_a, "diffusion"_a, "single"_a);
    module.def("diffuse_grounded", &run_grounded, "graph"_a, "ground"_a, "scale"_a, "diffusion"_a, "single"_a);
    module.def("diffuse_series", &run_series, "graph"_a, "coefficient"_a, "tail"_a, "diffusion"_a, "single"_a);
    module.def("walk_restarting", &run_restarting, "graph"_a, "start"_a, "steps"_a, "restart"_a, "uniform"_a, "seed"_a,
               "threads"_a);
    module.def("visit_restarting", &run_visiting, "graph"_a, "start"_a, "steps"_a, "restart"_a, "uniform"_a, "seed"_a,
               "threads"_a);
    module.def("edge_coins", &run_coins, "row"_a, "col"_a, "first"_a, "start"_a, "directed"_a);
    module.def("eliminate_part", &run_part, "source"_a, "target"_a, "weight"_a, "filled"_a, "id"_a, "order"_a,
               "neighbor_order"_a, "seed"_a);
    module.def("walk_part", &run_part_walks, "start"_a, "to"_a, "weight"_a, "key"_a, "step"_a, "place"_a, "length"_a);
    module.def("cluster_edges", &run_clusters, "source"_a, "target"_a, "cluster"_a, "degree"_a, "volume"_a, "most"_a,
               "count"_a);
    module.def("derive_seed", &derive_seed, "seed"_a, "view"_a, "graph"_a);
}
