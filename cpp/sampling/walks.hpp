// Random walks with restart.
#pragma once

#include "graph/graph.hpp"

namespace rlap {

// From every start a walk of so many steps. At each step it returns to its start with the probability `restart`, else
// it goes to a neighbour, chosen by weight, or uniformly. A walk at an isolated node stays.
struct RestartTask {
    const Graph& graph;
    const Node* start;
    std::int64_t walks;
    std::int64_t steps;
    double restart;
    bool uniform;
    std::uint64_t seed;  // a walk's draws depend on this, on its graph and on its number among the walks there
    int threads;
};

// Where the walks are, (walks, steps + 1), the start first.
Buffer<std::int64_t> walk_restarting(const RestartTask& task);
// Which nodes any of them has met.
Buffer<std::uint8_t> visit_restarting(const RestartTask& task);

}  // namespace rlap
