// Clusters from a stream of edges (Hollocou et al. 2017, with the bound on their size of Mayer et al. 2020): at every
// edge between two clusters that both have room, the end in the smaller one moves to the larger.
#pragma once

#include <cstdint>

namespace rlap {

struct ClusterTask {
    std::int64_t nodes, edges;
    const std::int64_t *source, *target;
    std::int64_t* cluster;  // by node: a name in the range of the nodes; -1 as long as none of its edges has come
    std::int32_t* degree;   // by node
    std::int64_t* volume;   // by name: the degrees of its nodes together
    std::int64_t most;      // a cluster of this volume gets no further node
    bool count;             // the first time that these edges come: degrees grow
};

// Throws std::invalid_argument at the first edge that joins no nodes, has an end whose cluster is none, or should have
// been counted before; what came before it has been done. Sums wrap around at 2^63.
void cluster_edges(const ClusterTask& task);

}  // namespace rlap
