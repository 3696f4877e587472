// Random walks with restart.
#include "walks.hpp"

#include "arrays.hpp"
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

}  // namespace

void bind_walks(nb::module_& module) {
    module.def("walk_restarting", &run_restarting, "graph"_a, "start"_a, "steps"_a, "restart"_a, "uniform"_a, "seed"_a,
               "threads"_a);
    module.def("visit_restarting", &run_visiting, "graph"_a, "start"_a, "steps"_a, "restart"_a, "uniform"_a, "seed"_a,
               "threads"_a);
}

}  // namespace rlap
