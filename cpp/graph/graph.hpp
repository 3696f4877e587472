// An edge list, checked and turned into the undirected weighted graph that everything else reads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/buffer.hpp"

namespace rlap {

using Node = std::int32_t;
class ThreadPool;

// Weights far apart can underflow; an edge that was there, or that the sampling wants, must not vanish with it.
inline double positive(double weight) { return std::max(weight, std::numeric_limits<double>::min()); }

// One graph or a batch of them. Rows are sorted, free of duplicates and self-loops, and symmetric bit for bit.
struct Graph {
    Node nodes = 0;
    Buffer<std::int64_t> start;  // row u is neighbor[start[u]] .. neighbor[start[u + 1] - 1]
    Buffer<Node> neighbor;
    Buffer<std::int64_t> upper;  // by node: where the neighbours above it begin in its row
    Buffer<double> weight;       // empty when every weight is 1
    double total = 0;            // sum of all weights, both directions
    Buffer<Node> first;          // graph g of the batch owns the nodes first[g] .. first[g + 1] - 1

    std::int64_t graphs() const { return static_cast<std::int64_t>(first.size()) - 1; }
    std::int64_t degree(Node u) const { return start[u + 1] - start[u]; }
    double weight_at(std::int64_t position) const { return weight.empty() ? 1.0 : weight[position]; }
};

// The arrays as the caller gave them. Only their lengths have been checked.
template <class Index, class Weight>
struct EdgeList {
    std::int64_t nodes;
    std::int64_t edges;
    const Index* row;
    const Index* col;
    const Weight* weight;       // null: every weight is 1
    std::int64_t graphs;        // at least 1
    const std::int64_t* first;  // graphs + 1 offsets, rising from 0 to nodes
};

// Throws std::invalid_argument with the rule and the value when the list breaks a rule. Self-loops are dropped and
// duplicates summed. With `symmetrize`, an edge that has one direction gets the other, and two directions their mean.
// A pool reads a list that is sorted, in either direction, with all its threads.
template <class Index, class Weight>
Graph build_graph(const EdgeList<Index, Weight>& list, bool symmetrize, ThreadPool* pool = nullptr);

}  // namespace rlap
