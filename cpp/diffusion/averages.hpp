// Sparse matrix times a block of columns: the inner loop of every diffusion.
#pragma once

#include "graph/locality.hpp"

namespace rlap {

// A block has one cache line of columns, which are called lanes.
inline constexpr std::size_t kLine = 64;
template <class Real>
inline constexpr Node kLanes = kLine / sizeof(Real);

// The matrix P of a diffusion, by label: weights divided by a total for each row, so that a product with it is a
// weighted average of the neighbours (or less than that, when totals exceed the sums of weights).
template <class Real>
struct Averages {
    // `total` is by node; a row whose total is 0 is empty. `self_loop` is one more edge, of every node to itself.
    Averages(const Graph& graph, const Locality& locality, const double* total, double self_loop);

    Buffer<std::int64_t> start;  // row l is neighbor[start[l]] .. neighbor[start[l + 1] - 1]
    Buffer<Node> neighbor;
    Buffer<Real> weight;  // times a power of two for each row, so that none overflows; empty when every weight is 1
    Buffer<Real> scale;   // of the rows
    Buffer<Node> rows;    // 0, 1, 2, ...: what a pass over all rows lists

    // By graph: bounds the relative rounding error of an average of values that are not negative.
    Buffer<double> rounding;
};

// next = mix * (P now + bias) + keep * next, for some rows; lanes do not touch each other.
template <class Real>
struct Pass {
    const Node* rows;
    Node count;
    const Real* now;
    Real* next;
    Real mix, keep;
    const Real* bias;   // null, or what row `first_source` + l gets in lane l
    Node first_source;  // rows listed with a bias lie at most kLanes behind it
};

// The largest entries of |P now + bias - now|, and of |P now|.
template <class Real>
struct Largest {
    Real residual = 0, average = 0;
};

// Sums run in an order that does not depend on the processor, so that results do not, either.
template <class Real>
void run_pass(const Averages<Real>& averages, const Pass<Real>& pass);
template <class Real>
Largest<Real> run_checked_pass(const Averages<Real>& averages, const Pass<Real>& pass);

}  // namespace rlap
