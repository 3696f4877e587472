#include "graph/cluster.hpp"

#include <stdexcept>
#include <string>

#include "base/buffer.hpp"
#include "base/interrupt.hpp"

namespace rlap {
namespace {

// All of these arrays are the caller's, and other threads may write to them: whatever is an index is checked here.
void require_index(std::int64_t index, std::int64_t size, const char* rule) {
    if (index < 0 || index >= size)
        throw std::invalid_argument(std::string(rule) + " (got " + std::to_string(index) + ")");
}

// Numbers of the caller may be anything.
template <class T>
void add(T& to, std::int64_t value) {
    to = static_cast<T>(static_cast<std::uint64_t>(to) + static_cast<std::uint64_t>(value));
}

std::int64_t cluster_of(const ClusterTask& task, std::int64_t node) {
    const std::int64_t cluster = read_once(task.cluster + node);
    if (cluster == -1 && !task.count) throw std::invalid_argument("edges must be counted first");
    if (cluster == -1) return node;
    require_index(cluster, task.nodes, "a cluster must have the number of a node");
    return cluster;
}

}  // namespace

void cluster_edges(const ClusterTask& task) {
    Poll poll;
    for (std::int64_t e = 0; e < task.edges; ++e) {
        poll();
        std::int64_t small = read_once(task.source + e), large = read_once(task.target + e);
        for (const std::int64_t u : {small, large}) require_index(u, task.nodes, "an edge must join nodes");
        std::int64_t from = cluster_of(task, small), to = cluster_of(task, large);
        if (task.count) {
            task.cluster[small] = from;
            task.cluster[large] = to;
            for (const std::int64_t u : {small, large}) add(task.degree[u], 1);
            for (const std::int64_t one : {from, to}) add(task.volume[one], 1);
        }
        if (task.volume[from] > task.volume[to]) {
            std::swap(small, large);
            std::swap(from, to);
        }
        const std::int64_t moved = task.degree[small];
        std::int64_t grown = task.volume[to];
        add(grown, moved);
        if (from == to || grown > task.most) continue;
        add(task.volume[from], -moved);
        task.volume[to] = grown;
        task.cluster[small] = to;
    }
}

}  // namespace rlap
