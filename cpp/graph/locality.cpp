#include "graph/locality.hpp"

#include <algorithm>

#include "base/interrupt.hpp"

namespace rlap {

Locality::Locality(const Graph& graph)
    : node(graph.nodes), label(graph.nodes, -1), part_of(graph.nodes), by_node(graph.nodes) {
    const auto lighter = [&](Node u, Node v) {
        return graph.degree(u) != graph.degree(v) ? graph.degree(u) < graph.degree(v) : u < v;
    };
    Buffer<Node> roots(graph.nodes);
    for (Node u = 0; u < graph.nodes; ++u) roots[u] = u;
    Node done = 0, labelled = 0;
    Poll poll;
    for (std::int64_t g = 0; g < graph.graphs(); ++g) {
        std::sort(roots.begin() + graph.first[g], roots.begin() + graph.first[g + 1], lighter);
        for (Node i = graph.first[g]; i < graph.first[g + 1]; ++i) {
            if (label[roots[i]] >= 0) continue;
            part.push_back(labelled);
            node[labelled] = roots[i];
            label[roots[i]] = labelled++;
            for (; done < labelled; ++done) {
                const Node u = node[done], fresh = labelled;
                poll(graph.degree(u) + 1);
                for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at) {
                    const Node v = graph.neighbor[at];
                    if (label[v] >= 0) continue;
                    label[v] = labelled;
                    node[labelled++] = v;
                }
                std::sort(node.begin() + fresh, node.begin() + labelled, lighter);
                for (Node l = fresh; l < labelled; ++l) label[node[l]] = l;
            }
        }
    }
    part.push_back(labelled);
    for (std::size_t c = 0; c + 1 < part.size(); ++c)
        for (Node l = part[c]; l < part[c + 1]; ++l) part_of[l] = static_cast<Node>(c);
    Buffer<Node> next(part.size());
    std::copy(part.begin(), part.end(), next.begin());
    for (Node u = 0; u < graph.nodes; ++u) by_node[next[part_of[label[u]]]++] = label[u];
}

std::vector<Block> cut_blocks(const Graph& graph, const Locality& locality, Node size) {
    std::vector<Block> blocks;
    for (std::int64_t g = 0; g < graph.graphs(); ++g)
        for (Node first = graph.first[g]; first < graph.first[g + 1]; first += size) {
            const Node last = std::min<Node>(first + size, graph.first[g + 1]);
            blocks.push_back({first, last, locality.part[locality.part_of[first]],
                              locality.part[locality.part_of[last - 1] + 1], g});
        }
    return blocks;
}

}  // namespace rlap
