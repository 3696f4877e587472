// An order of the nodes that puts neighbours near each other, and the pieces that work on columns falls into.
#pragma once

#include <vector>

#include "graph/graph.hpp"

namespace rlap {

// Nodes get labels component by component, each in the order of Cuthill and McKee: what a row of the adjacency matrix
// reads lies close together, and so does what its neighbours read. A graph of a batch is labelled as if it were alone.
struct Locality {
    explicit Locality(const Graph& graph);

    Buffer<Node> node;     // by label
    Buffer<Node> label;    // by node
    Buffer<Node> part;     // component c has the labels part[c] .. part[c + 1] - 1
    Buffer<Node> part_of;  // by label
    Buffer<Node> by_node;  // the labels of every component, sorted by their nodes
};

// Neighbouring labels first .. last - 1, and the labels of the components that these belong to.
struct Block {
    Node first, last;
    Node begin, end;
    std::int64_t graph;
};

// Cuts every graph into blocks of at most `size` labels. No block reaches into two graphs.
std::vector<Block> cut_blocks(const Graph& graph, const Locality& locality, Node size);

}  // namespace rlap
