// The largest eigenvalue of a symmetric tridiagonal matrix, and its eigenvector.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace rlap {

class Tridiagonal {
  public:
    void push_back(double diagonal) { diagonal_.push_back(diagonal); }
    // The entry between the last row and the one that follows.
    void link(double beside) { beside_.push_back(beside); }
    std::size_t size() const { return diagonal_.size(); }

    // Bisection: above the largest eigenvalue, all pivots of x I - T are positive.
    double largest() const {
        double low = diagonal_[0], high = low;
        for (std::size_t i = 0; i < size(); ++i) {
            const double around = (i ? beside_[i - 1] : 0) + (i + 1 < size() ? beside_[i] : 0);
            low = std::max(low, diagonal_[i]);
            high = std::max(high, diagonal_[i] + around);
        }
        while (high - low > kRounding * high) {
            const double middle = low + (high - low) / 2;
            if (middle <= low || middle >= high) break;
            (is_above(middle) ? high : low) = middle;
        }
        return high;
    }

    // Inverse iteration from just above the eigenvalue, where no pivot is lost; the eigenvector has the norm 1.
    std::vector<double> vector(double value) const {
        const double x = value * (1 + 4 * kRounding) + std::numeric_limits<double>::min();
        std::vector<double> found(size(), 1.0), pivot(size());
        for (int repeat = 0; repeat < 3; ++repeat) {
            for (std::size_t i = 0; i < size(); ++i) {
                pivot[i] = x - diagonal_[i];
                if (i) {
                    const double factor = beside_[i - 1] / pivot[i - 1];
                    pivot[i] -= beside_[i - 1] * factor;
                    found[i] += factor * found[i - 1];
                }
                pivot[i] = std::max(pivot[i], kRounding * x);
            }
            for (std::size_t i = size(); i-- > 0;) {
                if (i + 1 < size()) found[i] += beside_[i] * found[i + 1];
                found[i] /= pivot[i];
            }
            const double most = *std::max_element(found.begin(), found.end());
            double square = 0;
            for (double& entry : found) {
                entry /= most;  // squares of what is left do not overflow
                square += entry * entry;
            }
            for (double& entry : found) entry /= std::sqrt(square);
        }
        return found;
    }

  private:
    static constexpr double kRounding = std::numeric_limits<double>::epsilon();

    bool is_above(double x) const {
        double pivot = 1;
        for (std::size_t i = 0; i < size(); ++i) {
            pivot = x - diagonal_[i] - (i ? beside_[i - 1] * (beside_[i - 1] / pivot) : 0);
            if (pivot <= 0) return false;
        }
        return true;
    }

    std::vector<double> diagonal_, beside_;
};

}  // namespace rlap
