// Columns of a polynomial of P with coefficients that are not negative.
#pragma once

#include <numeric>
#include <vector>

#include "diffusion/column_block.hpp"

namespace rlap {

// By Horner's rule. Nothing is ever subtracted, so that every step adds a rounding error relative to the result, and
// the error of a column follows from its largest entry.
struct Polynomial {
    static constexpr const char* kRefusal = "tol must be larger: rounding does not allow it on this graph";

    Buffer<double> total;  // by node: P = A / total
    double self_loop;
    const std::vector<double>& coefficient;
    double tail;  // what the powers left out sum to
    // Of the relative error, by all steps.
    double growth(double rounding) const { return 1.01 * rounding * static_cast<double>(coefficient.size()); }

    bool suits(std::int64_t, double rounding, double tol) const { return growth(rounding) / 4 + tail <= tol; }
    bool is_narrow(std::int64_t) const { return false; }
    // T^k has no entry above 1.
    double most(std::int64_t) const { return std::accumulate(coefficient.begin(), coefficient.end(), 0.0); }

    template <class Real>
    bool make(ColumnBlock<Real>& columns, const Block& block, const Locality&, double tol) const {
        Real source[kLanes<Real>];
        const auto degree = static_cast<std::int64_t>(coefficient.size()) - 1;
        std::fill_n(source, kLanes<Real>, static_cast<Real>(coefficient[degree]));
        columns.begin(block, source);
        Real average = 0;
        for (std::int64_t k = degree - 1; k >= 0; --k) {
            std::fill_n(source, kLanes<Real>, static_cast<Real>(coefficient[k]));
            if (k)
                columns.advance(1, 0, source);
            else
                average = columns.advance_checked(1, 0, source).average;
            columns.swap();
        }
        // The last coefficient is rounded once, whatever its size.
        const double rounding = columns.averages().rounding[block.graph];
        return average * growth(rounding) + coefficient[0] * rounding / 4 + tail <= tol;
    }
};

}  // namespace rlap
