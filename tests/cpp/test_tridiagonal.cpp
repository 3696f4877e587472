// The largest eigenvalue of tridiagonal matrices whose spectrum is known.
#include "check.hpp"
#include "diffusion/tridiagonal.hpp"

namespace {

using rlap::Tridiagonal;

// d on the diagonal and b beside it: d + 2 b cos(pi / (n + 1)), with sin(pi i / (n + 1)).
void constant(int n, double d, double b) {
    Tridiagonal matrix;
    for (int i = 0; i < n; ++i) {
        matrix.push_back(d);
        if (i + 1 < n) matrix.link(b);
    }
    const double angle = std::acos(-1.0) / (n + 1), value = matrix.largest();
    CHECK(check::close(value, d + 2 * b * std::cos(angle), 1e-14));
    const auto vector = matrix.vector(value);
    double square = 0;
    for (int i = 0; i < n; ++i) {
        CHECK(std::abs(vector[i] - std::sqrt(2.0 / (n + 1)) * std::sin(angle * (i + 1))) < 1e-9);
        square += vector[i] * vector[i];
    }
    CHECK(check::close(square, 1, 1e-12));
}

// Wilkinson's matrix: its two largest eigenvalues agree to many digits. Any vector of the two has a small residual.
void twins() {
    Tridiagonal matrix;
    std::vector<double> diagonal;
    for (int i = -20; i <= 20; ++i) {
        diagonal.push_back(std::abs(i));
        matrix.push_back(diagonal.back());
        if (i < 20) matrix.link(1);
    }
    const double value = matrix.largest();
    const auto vector = matrix.vector(value);
    for (std::size_t i = 0; i < vector.size(); ++i) {
        double product = diagonal[i] * vector[i];
        if (i) product += vector[i - 1];
        if (i + 1 < vector.size()) product += vector[i + 1];
        CHECK(std::abs(product - value * vector[i]) < 1e-12);
    }
}

}  // namespace

int main() {
    for (const int n : {1, 2, 3, 10, 100}) {
        constant(n, 0.5, 1);
        constant(n, 1e-200, 1e-200);
        constant(n, 1e100, 3e99);
    }
    constant(2, 0, 1);
    twins();
    return check::result();
}
