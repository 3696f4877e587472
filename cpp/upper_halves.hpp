// The upper halves of rows, each the edges to later rows, one row after another.
#pragma once

#include "graph.hpp"

namespace rlap {

struct UpperHalves {
    UpperHalves() { clear(); }
    void clear() {
        begin.clear();
        begin.push_back(0);
    }

    std::size_t rows() const { return begin.size() - 1; }
    std::int64_t edges() const { return begin[rows()]; }

    // A row is written behind edges(), and then closed with the number of its edges.
    void reserve_row(std::size_t edges_at_most) {
        const std::size_t edges = static_cast<std::size_t>(this->edges()) + edges_at_most;
        high.reserve_grown(edges);
        value.reserve_grown(edges);
    }
    void close_row(Node size) { begin.push_back(edges() + size); }

    Buffer<std::int64_t> begin;  // of every row, and behind the last
    Buffer<Node> high;
    Buffer<double> value;
};

}  // namespace rlap
