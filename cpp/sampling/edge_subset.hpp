// Which edges stay when each is dropped by chance, or when nodes go.
#pragma once

#include <cstdint>

#include "base/buffer.hpp"

namespace rlap {

struct Ends {
    std::int64_t edges;
    const std::int64_t *row, *col;
};

// What the numbers of edges are made of. Ends count from the beginning of their graph, so that an edge has the same
// number in a batch and alone.
struct KeyedEdges {
    Ends ends;
    std::int64_t graphs;
    const std::int64_t* first;   // graph g has the nodes first[g] .. first[g + 1] - 1; one more than there are graphs
    const std::uint64_t* start;  // where the numbers of each graph begin
    bool directed;               // a number for each direction, instead of one for both
};

// The edges that stay, in their order.
struct EdgeSubset {
    Buffer<std::int64_t> place;  // in the arrays that they came from
    Buffer<std::int64_t> ends;   // all rows, then all columns
};

// An edge stays if the 53 bits of its number are at least `least`, or at least its own one where there are `leasts`.
// Refuses ends that are no nodes. The same on any number of threads.
EdgeSubset drop_edges(const KeyedEdges& coins, std::int64_t least, const std::int64_t* leasts, int threads);

// Those with a marked row and a marked column; no marks on a side mean that all there stay.
EdgeSubset induced_edges(const Ends& ends, std::int64_t rows, const std::uint8_t* row_stays, std::int64_t cols,
                         const std::uint8_t* col_stays, int threads);

}  // namespace rlap
