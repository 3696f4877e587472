// From what an elimination leaves (the old edges between kept nodes, and a log of new ones in any order) to the sorted,
// merged edge list of the view. Every undirected edge is handled once, so both directions carry the same bits.
#pragma once

#include "graph/edge_log.hpp"
#include "graph/graph.hpp"

namespace rlap {

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

struct View {
    bool single = false, grounded = false;
    std::int64_t edges = 0;
    Buffer<std::int64_t> edge_index;  // from `front` on: rows, then columns
    std::int64_t front = 0;
    Buffer<double> weight;
    Buffer<float> weight_single;  // instead of `weight`, when single
    Buffer<std::uint8_t> node_mask;
    Buffer<double> ground;  // when grounded

    const std::int64_t* from() const { return edge_index.data() + front; }
    const std::int64_t* to() const { return from() + edges; }
};

struct Output {
    bool relabel = false;
    bool single = false;
    bool ground = false;
};

// Merges the edges of `graph` between kept nodes with the log, which is used up. The log may have edges to a ground
// vertex, row kept.rows().
View assemble(const Graph& graph, const Kept& kept, RowLog& log, const Output& output);

// The same, bit for bit, by several threads. Bucket b, the spare ones counted, is in logs[b % logs.size()].
View assemble(const Graph& graph, const Kept& kept, std::span<RowLog> logs, const Output& output, ThreadPool& pool);

}  // namespace rlap
