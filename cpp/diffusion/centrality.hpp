// Eigenvector centrality.
#pragma once

#include "graph/graph.hpp"

namespace rlap {

// For every graph on its own: the leading eigenvector of its adjacency matrix, of the norm 1, no entry negative. It
// lives on the component that has the largest eigenvalue. When several have, it is the projection of the vector of ones
// onto their eigenvectors.
Buffer<double> eigenvector_centrality(const Graph& graph);

}  // namespace rlap
