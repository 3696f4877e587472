// Diffusions of a graph, sparse from the beginning: columns are made in blocks, and what is below a threshold is never
// stored. Every entry has an error of at most `tol`, which is proved for each block after it has been made.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.hpp"

namespace rlap {

// What the diffusions share. They are functions of T = A D^-1, or of D^-1/2 A D^-1/2 when `symmetric`; an isolated node
// has an empty column there.
struct Diffusion {
    bool symmetric;
    bool self_loops;  // of weight 1, added to A
    double eps;       // smaller entries are not kept
    double tol;
    int threads;
};

// A sparse matrix by rows, whose columns are sorted.
template <class Real>
struct Rows {
    Buffer<std::int64_t> start;
    Buffer<Node> column;
    Buffer<Real> value;
};

// alpha (I - (1 - alpha) T)^-1, personalised PageRank.
template <class Real>
Rows<Real> diffuse_ppr(const Graph& graph, double alpha, const Diffusion& diffusion);

// diag(scale) (D + diag(ground) - A)^-1. Every node that has an edge must have a positive weight to the ground. Rows of
// nodes that have neither are empty.
struct GroundedTask {
    const Graph& graph;
    const double* ground;
    const double* scale;
    double single;  // single precision holds a result whose largest entry times this is at most tol
};
bool fits_single(const GroundedTask& task, const Diffusion& diffusion);
// In a batch that single precision does not hold, the values of a graph that it does hold are rounded to it: they are
// those that the graph has alone.
template <class Real>
Rows<Real> diffuse_grounded(const GroundedTask& task, const Diffusion& diffusion);

// The sum of coefficient[k] T^k; no coefficient is negative. The powers left out sum to `tail` at most.
template <class Real>
Rows<Real> diffuse_series(const Graph& graph, const std::vector<double>& coefficient, double tail,
                          const Diffusion& diffusion);

}  // namespace rlap
