// A part of a graph that no single process holds: its nodes have numbers of their own here, and 64-bit ids in the
// whole. What is drawn depends on ids alone, so that parts together give what one process gives for the whole.
#pragma once

#include "schur/clique.hpp"

namespace rlap {

// Undirected edges, each once, low < high, sorted by (low, high).
struct PartEdges {
    Buffer<Node> low, high;
    Buffer<double> weight;
    Buffer<std::uint8_t> filled;  // it is, or was merged with, an edge that some elimination made

    std::size_t size() const { return low.size(); }
};

struct RawEdges {
    std::int64_t edges;
    const Node *source, *target;  // in any direction and order
    const double* weight;
    const std::uint8_t* filled;
};

// Sums parallel edges and drops self-loops. The order of the input does not matter, not even for the last bit. Refuses
// ends that are no nodes.
PartEdges merge_edges(const RawEdges& raw, Node nodes);

struct PartTask {
    const PartEdges& edges;
    Node nodes;
    const std::int64_t* id;  // by node, rising
    const Node* order;       // the nodes that go
    Node gone;
    NeighborOrder neighbor_order;
    std::uint64_t seed;
};

// What is left after the elimination. No edge of a node that goes may be missing from the part.
PartEdges eliminate_part(const PartTask& task);

// Terminal walks inside a part.
struct PartWalks {
    const std::int64_t* start;  // row u is to[start[u]] .. to[start[u + 1] - 1]
    const Node* to;             // a node of the part, or ~x for the exit x, where the walk stops
    const double* weight;
    std::int64_t walks;
    const std::uint64_t* key;  // the walk's own stream
    std::int64_t* step;        // how many draws it has taken; all four are brought up to date
    Node* place;               // in: a node; out: the exit
    double* length;            // the resistance of the way so far
};

// Runs all walks to an exit. Throws std::runtime_error when they take more than ten thousand steps each on average, and
// std::invalid_argument where an edge leads to neither a node nor an exit.
void walk_part(const PartWalks& walks, Node nodes);

}  // namespace rlap
