// Uniform numbers that belong to edges, not to places in an array: a hash of the seed and the two ends.
#pragma once

#include <cstdint>

#include "buffer.hpp"

namespace rlap {

struct EdgeCoins {
    std::int64_t edges;
    const std::int64_t *row, *col;
    std::int64_t graphs;
    const std::int64_t* first;   // graph g has the nodes first[g] .. first[g + 1] - 1; one more than there are graphs
    const std::uint64_t* start;  // where the numbers of each graph begin
    bool directed;               // a number for each direction, instead of one for both
};

// A number in [0, 1) for every edge. Ends count from the beginning of their graph, so that an edge has the same number
// in a batch and alone. Refuses ends that are no nodes.
Buffer<double> toss(const EdgeCoins& coins);

}  // namespace rlap
