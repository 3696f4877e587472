// From what an elimination leaves (the old edges between kept nodes, and a log of new ones in any order) to the sorted,
// merged edge list of the view. Every undirected edge is handled once, so both directions carry the same bits.
#pragma once

#include "graph.hpp"

namespace rlap {

struct Edge {
    Node low, high;  // rows of the view, low < high
    double weight;
};

// The nodes that a view keeps. Row r of the view is node[r]; nodes that are gone have row_of -1.
struct Kept {
    Buffer<Node> node;
    Buffer<Node> row_of;

    explicit Kept(Node nodes) : row_of(nodes) { node.reserve(nodes); }
    void keep(Node u, bool alive) {
        row_of[u] = alive ? static_cast<Node>(node.size()) : -1;
        if (alive) node.push_back(u);
    }
    Node rows() const { return static_cast<Node>(node.size()); }
};

// The lower half of a symmetric sparse matrix: row r has `lower` entries from `begin` on, sorted, and `upper` entries
// more that are the mirror image of later rows.
struct LowerHalf {
    struct Entry {
        double weight;
        Node node;
    };
    struct Row {
        std::int64_t begin;
        Node lower, upper;
    };
    Buffer<Row> row;
    Buffer<Entry> entry;
};

// Merges the edges of `graph` between kept nodes with the log, which is used up. `rows` is kept.rows(), or one more
// when the log has edges to a ground vertex behind the last kept node.
LowerHalf assemble(const Graph& graph, const Kept& kept, Node rows, Buffer<Edge>& log);

// The finished view.
struct View {
    std::int64_t edges = 0;
    Buffer<std::int64_t> edge_index;  // rows, then columns
    Buffer<double> weight;
    Buffer<float> weight_single;  // instead of `weight`, when the caller's weights are single precision
    Buffer<std::uint8_t> node_mask;
    Buffer<double> ground;
};

struct Output {
    bool relabel = false;
    bool single = false;
    bool ground = false;
};

View finish(LowerHalf half, const Kept& kept, const Output& output);

}  // namespace rlap
