// Random walks with restart.
#include "sampling/walks.hpp"

#include "arrays.hpp"
#include "modules.hpp"

namespace rlap {
namespace {

Buffer<Node> copy_starts(const Graph& graph, const In<Node>& start) {
    Buffer<Node> own = copy(start);
    for (const Node u : own) require(u >= 0 && u < graph.nodes, "a walk must start at a node", u);
    return own;
}

RestartTask make_task(const Graph& graph, const Buffer<Node>& start, std::int64_t steps, double restart, bool uniform,
                      std::uint64_t seed, int threads) {
    constexpr std::int64_t kMostPlaces = std::int64_t{1} << 60;
    const auto walks = static_cast<std::int64_t>(start.size());
    require(steps >= 0 && steps < kMostPlaces / std::max<std::int64_t>(walks, 1),
            "steps must not be negative, and walks * (steps + 1) below 2**60", steps, walks);
    return {graph, start.data(), walks, steps, restart, uniform, seed, threads};
}

Out<std::int64_t> run_restarting(const Graph& graph, const In<Node>& start, std::int64_t steps, double restart,
                                 bool uniform, std::uint64_t seed, int threads) {
    const Buffer<Node> starts = copy_starts(graph, start);
    const RestartTask task = make_task(graph, starts, steps, restart, uniform, seed, threads);
    Buffer<std::int64_t> places = unlocked([&] { return walk_restarting(task); });
    return give(places);
}

Out<bool> run_visiting(const Graph& graph, const In<Node>& start, std::int64_t steps, double restart, bool uniform,
                       std::uint64_t seed, int threads) {
    const Buffer<Node> starts = copy_starts(graph, start);
    const RestartTask task = make_task(graph, starts, steps, restart, uniform, seed, threads);
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
