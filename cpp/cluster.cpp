#include "cluster.hpp"

namespace rlap {

void cluster_edges(const ClusterTask& task) {
    for (std::int64_t e = 0; e < task.edges; ++e) {
        const std::int64_t ends[2] = {task.source[e], task.target[e]};
        if (task.count) {
            for (const std::int64_t u : ends) {
                if (task.cluster[u] < 0) task.cluster[u] = u;
                ++task.degree[u];
                ++task.volume[task.cluster[u]];
            }
        }
        std::int64_t small = ends[0], large = ends[1];
        if (task.volume[task.cluster[small]] > task.volume[task.cluster[large]]) {
            small = ends[1];
            large = ends[0];
        }
        const std::int64_t from = task.cluster[small], to = task.cluster[large];
        if (from == to || task.volume[to] + task.degree[small] > task.most) continue;
        task.volume[from] -= task.degree[small];
        task.volume[to] += task.degree[small];
        task.cluster[small] = to;
    }
}

}  // namespace rlap
