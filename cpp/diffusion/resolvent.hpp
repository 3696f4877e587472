// Columns of (I - P)^-1, for a P whose rows sum to less than 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "diffusion/column_block.hpp"

namespace rlap {

// Solves x = P x + b by a polynomial iteration. P is similar to a symmetric matrix with a spectrum in [-c, c]; the
// residual after k steps is that of p_k(P) b with p_k(t) = C_k(t / c) / C_k(1 / c), where C_k are the Gegenbauer
// polynomials of order kOrder. Order 0 is Chebyshev's iteration, the best one when nothing but the interval is known. A
// higher order pays more at the ends of the spectrum, where graphs have few eigenvectors, and these are spread over
// many nodes; on graphs from practice it saves every fifth step.
//
// The error is proved from the residual r: x* - x = (I - P)^-1 r, and the rows of (I - P)^-1 sum to 1 / (1 - c) at
// most.
//
// On the way, entries and their rounding errors can be larger than in the end by the spread of the totals. Where
// weights differ by so many orders of magnitude that this spoils the result, x = P x + b is repeated as it stands:
// every step takes an average, of which nothing grows, but there are more steps.
struct Resolvent {
    static constexpr double kOrder = 2;
    static constexpr std::int64_t kMostSteps = 1'000'000;  // whoever needs more is refused
    static constexpr const char* kRefusal =
        "tol must be larger, or alpha, or ground beside edge_weight: rounding and a million steps do not allow it";

    // What is known about one graph.
    struct Graph {
        double contraction = 0;  // c, the largest sum of a row
        double spread = 1;       // sqrt(largest total / smallest total), which bounds a residual in one norm by another
        double largest = 0;      // of the bias
        double most = 0;         // no entry of the result is larger
        bool narrow = false;     // the result is rounded to single precision, even where others of a batch are not
    };

    Buffer<double> total;  // by node: P = A / total
    Buffer<double> bias;   // by node: column i is (I - P)^-1 e_i times bias[i]
    double self_loop;
    std::vector<Graph> graph;

    // Whether averages with such a rounding error are likely to be good enough.
    bool suits(std::int64_t g, double rounding, double tol) const {
        return 2 * rounding * graph[g].largest <= (1 - graph[g].contraction) * tol;
    }
    double most(std::int64_t g) const { return graph[g].most; }
    bool is_narrow(std::int64_t g) const { return graph[g].narrow; }

    // False when the error cannot be proved to be below tol.
    template <class Real>
    bool make(ColumnBlock<Real>& columns, const Block& block, const Locality& locality, double tol) const {
        Real source[kLanes<Real>] = {};
        for (Node l = block.first; l < block.last; ++l)
            source[l - block.first] = static_cast<Real>(bias[locality.node[l]]);
        columns.begin(block, source);
        const auto& [contraction, spread, largest_bias, most, narrow] = graph[block.graph];
        const double largest = largest_bias;  // a lambda cannot capture a part of a structure with clang before 16
        const double rounding = columns.averages().rounding[block.graph];
        const double c = std::max(contraction, 0.01);
        const double goal = (1 - contraction) * tol / (4 * largest);
        // |P| |x| is P x and at most twice the error more, as x* is not negative; the rest of the slack is for the
        // rounding of the residual and of the bias.
        const double slack = 1 - contraction - 4 * rounding;
        const auto is_proved = [&](const Largest<Real>& now) {
            return now.residual * (1 + rounding) + (now.average + largest / 10) * rounding <= slack * tol;
        };
        if (slack <= 0) return false;
        // A check pays from half of the steps on, and at the first one, which is the last when no source has an edge.
        const std::int64_t needed = steps(c, goal / spread), checked = steps(c, goal) / 2;
        const bool fits = spread * most <= kMargin * std::numeric_limits<Real>::max() && needed <= kMostSteps;
        const std::int64_t last = fits ? needed : 0;
        double inverse = c / (2 * kOrder);  // C_0 / C_1 at 1 / c
        for (std::int64_t k = 1; k <= last; ++k) {
            const double after = static_cast<double>(k);
            const double forward = 2 * (after + kOrder) / (after + 1), back = (after + 2 * kOrder - 1) / (after + 1);
            inverse = 1 / (forward / c - back * inverse);
            const double mix = forward / c * inverse;
            const auto fresh = static_cast<Real>(mix), old = static_cast<Real>(1 - mix);
            if (k > 1 && k < checked) {
                columns.advance(fresh, old, source);
            } else {
                if (is_proved(columns.advance_checked(fresh, old, source))) return true;
            }
            columns.swap();
        }
        if (std::is_same_v<Real, float>) return false;  // double precision has better chances
        columns.begin(block, source);
        double before = std::numeric_limits<double>::infinity();
        for (std::int64_t k = 0; k < kMostSteps; ++k) {
            const Largest<Real> now = columns.advance_checked(1, 0, source);
            if (is_proved(now)) return true;
            if (!(now.residual < before)) return false;  // rounding is all that is left
            before = now.residual;
            columns.swap();
        }
        return false;
    }

  private:
    static constexpr double kMargin = 1e-8;  // more than the square root of the number of nodes, and not only just

    // After so many steps p_k is below the goal on the whole interval. Stops counting when there are too many.
    static std::int64_t steps(double c, double goal) {
        double inverse = c / (2 * kOrder), size = c, k = 1;
        for (; size > goal && k <= kMostSteps; ++k) {
            inverse = 1 / (2 * (k + kOrder) / (k + 1) / c - (k + 2 * kOrder - 1) / (k + 1) * inverse);
            size *= (k + 2 * kOrder) / (k + 1) * inverse;
        }
        return static_cast<std::int64_t>(k) + 1;
    }
};

}  // namespace rlap
