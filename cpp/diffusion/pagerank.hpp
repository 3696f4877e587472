// Degree and PageRank.
#pragma once

#include "graph/graph.hpp"

namespace rlap {

// The sum of every node's weights.
Buffer<double> degrees(const Graph& graph);

// For every graph on its own: follow an edge with the probability alpha in [0, 1), else jump to any node; from a node
// without edges always jump. The errors of a graph sum to tol at most, or to what rounding allows.
Buffer<double> pagerank(const Graph& graph, double alpha, double tol);

}  // namespace rlap
