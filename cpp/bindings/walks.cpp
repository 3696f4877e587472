// Random walks with restart, and numbers that belong to edges.
#include "walks.hpp"

#include "arrays.hpp"
#include "coins.hpp"
#include "rooms.hpp"

namespace rlap {
namespace {

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
    Buffer<std::int64_t> places = unlocked([&] { return walk_restarting(task); });
    return give(places);
}

Out<bool> run_visiting(const Graph& graph, const In<Node>& start, std::int64_t steps, double restart, bool uniform,
                       std::uint64_t seed, int threads) {
    const RestartTask task = check_walks(graph, start, steps, restart, uniform, seed, threads);
    Buffer<std::uint8_t> seen = unlocked([&] { return visit_restarting(task); });
    return give_mask(seen);
}

Out<double> run_coins(const In<std::int64_t>& row, const In<std::int64_t>& col, const In<std::int64_t>& first,
                      const In<std::uint64_t>& start, bool directed) {
    require(row.shape(0) == col.shape(0), "row and col must be equally long", row.shape(0), col.shape(0));
    require(first.shape(0) == start.shape(0) + 1, "first must have one value more than start", first.shape(0),
            start.shape(0));
    require(start.shape(0) > 0 || row.shape(0) == 0, "edges must belong to a graph (got no graph)");
    for (std::size_t g = 0; g < start.shape(0); ++g)
        require(first.data()[g] <= first.data()[g + 1], "first must not fall", first.data()[g], first.data()[g + 1]);
    const EdgeCoins coins{static_cast<std::int64_t>(row.shape(0)),
                          row.data(),
                          col.data(),
                          static_cast<std::int64_t>(start.shape(0)),
                          first.data(),
                          start.data(),
                          directed};
    Buffer<double> numbers = unlocked([&] { return toss(coins); });
    return give(numbers);
}

}  // namespace

void bind_walks(nb::module_& module) {
    module.def("walk_restarting", &run_restarting, "graph"_a, "start"_a, "steps"_a, "restart"_a, "uniform"_a, "seed"_a,
               "threads"_a);
    module.def("visit_restarting", &run_visiting, "graph"_a, "start"_a, "steps"_a, "restart"_a, "uniform"_a, "seed"_a,
               "threads"_a);
    module.def("edge_coins", &run_coins, "row"_a, "col"_a, "first"_a, "start"_a, "directed"_a);
}

}  // namespace rlap
