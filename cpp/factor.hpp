// Solving with the approximate Cholesky factor that a full elimination leaves behind.
#pragma once

#include "eliminate.hpp"

namespace rlap {

// Replaces x by (G D G^T)^+ x, where the columns of G are those of the elimination. `x` has a value for each of the
// nodes, and room for one more, the ground. Columns of weight 0, the last of their component, solve to 0.
inline void solve_factor(const Columns& columns, double* x, std::size_t nodes) {
    const auto count = static_cast<std::int64_t>(columns.node.size());
    x[nodes] = 0;
    Poll poll;
    for (std::int64_t k = 0; k < count; ++k) {
        poll(columns.begin[k + 1] - columns.begin[k] + 1);
        const double value = x[columns.node[k]];
        if (columns.total[k] == 0 || value == 0) continue;
        const double share = value / columns.total[k];
        for (std::int64_t i = columns.begin[k]; i < columns.begin[k + 1]; ++i)
            x[columns.neighbor[i]] += share * columns.weight[i];
    }
    x[nodes] = 0;  // takes whatever flows to it, and stays at 0
    for (std::int64_t k = count - 1; k >= 0; --k) {
        poll(columns.begin[k + 1] - columns.begin[k] + 1);
        double& value = x[columns.node[k]];
        if (columns.total[k] == 0) {
            value = 0;
            continue;
        }
        double sum = value;
        for (std::int64_t i = columns.begin[k]; i < columns.begin[k + 1]; ++i)
            sum += columns.weight[i] * x[columns.neighbor[i]];
        value = sum / columns.total[k];
    }
}

}  // namespace rlap
