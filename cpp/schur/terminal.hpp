// The Schur complement by terminal random walks (Durfee, Gao, Goranci and Peng 2019): for every edge, walk from both
// its ends until each first meets a kept node; the path between the two becomes one edge with the conductance of the
// whole path. Its mean is the exact Schur complement, for any set of kept nodes.
#pragma once

#include "schur/assemble.hpp"

namespace rlap {

struct WalkTask {
    const Graph& graph;
    const std::uint8_t* keep;  // for every node, whether it stays
    std::uint64_t seed = 0;
    const double* ground = nullptr;
    Output output;
    int threads = 1;
    std::int64_t least_edges = 0;  // both directions counted, from which threads share the work
};

// Throws std::runtime_error when the walks take more than ten thousand steps each on average: so few nodes are kept
// that elimination is the better way.
View walk_schur(const WalkTask& task);

}  // namespace rlap
