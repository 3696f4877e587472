// Graphs to test on, and the dense algebra to compare with.
#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "graph/graph.hpp"
#include "schur/assemble.hpp"

namespace graphs {

using rlap::Buffer;
using rlap::Graph;
using rlap::Node;

struct Weighted {
    std::int64_t u, v;
    double weight;
};

inline Graph build(std::int64_t nodes, const std::vector<Weighted>& edges, std::vector<std::int64_t> first = {}) {
    if (first.empty()) first = {0, nodes};
    std::vector<std::int64_t> row, col;
    std::vector<double> weight;
    for (const Weighted& edge : edges)
        for (const bool turn : {false, true}) {
            row.push_back(turn ? edge.v : edge.u);
            col.push_back(turn ? edge.u : edge.v);
            weight.push_back(edge.weight);
        }
    return rlap::build_graph(
        rlap::EdgeList<std::int64_t, double>{nodes, static_cast<std::int64_t>(row.size()), row.data(), col.data(),
                                             weight.data(), static_cast<std::int64_t>(first.size()) - 1, first.data()},
        false);
}

// A ring with random chords, fewer where they coincide; weights between 1/2 and 2, or all 1.
inline std::vector<Weighted> ring(Node nodes, int chords, std::uint64_t seed, bool weighted = true, Node from = 0) {
    rlap::Stream draws(seed);
    std::vector<Weighted> edges;
    std::set<std::pair<Node, Node>> seen;
    const auto add = [&](Node u, Node v) {
        const double weight = weighted ? 0.5 + 1.5 * rlap::uniform(draws.next()) : 1.0;
        if (seen.insert({std::min(u, v), std::max(u, v)}).second) edges.push_back({from + u, from + v, weight});
    };
    for (Node u = 0; u < nodes; ++u) add(u, (u + 1) % nodes);
    for (int i = 0; i < chords; ++i) {
        const auto u = static_cast<Node>(draws.next_below(nodes)),
                   step = static_cast<Node>(draws.next_below(nodes - 3));
        add(u, (u + 2 + step) % nodes);
    }
    return edges;
}

// Adjacency matrix, row by row.
class Dense {
  public:
    explicit Dense(Node nodes) : nodes(nodes), entry(static_cast<std::size_t>(nodes) * nodes, 0.0) {}
    explicit Dense(const Graph& graph) : Dense(graph.nodes) {
        for (Node u = 0; u < nodes; ++u)
            for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at)
                (*this)(u, graph.neighbor[at]) = graph.weight_at(at);
    }
    Dense(const rlap::View& view, Node nodes) : Dense(nodes) {
        for (std::int64_t e = 0; e < view.edges; ++e)
            (*this)(static_cast<Node>(view.from()[e]), static_cast<Node>(view.to()[e])) +=
                view.weight.empty() ? static_cast<double>(view.weight_single[e]) : view.weight[e];
    }
    double& operator()(Node u, Node v) { return entry[static_cast<std::size_t>(u) * nodes + v]; }
    double operator()(Node u, Node v) const { return entry[static_cast<std::size_t>(u) * nodes + v]; }

    // The exact Schur complement: the star of u becomes the clique with the weights w_i w_j / sum(w).
    void eliminate(Node u) {
        double total = 0;
        for (Node v = 0; v < nodes; ++v) total += (*this)(u, v);
        for (Node v = 0; v < nodes; ++v)
            for (Node x = 0; x < nodes; ++x)
                if (v != x && total > 0) (*this)(v, x) += (*this)(u, v) * (*this)(u, x) / total;
        for (Node v = 0; v < nodes; ++v) (*this)(u, v) = (*this)(v, u) = 0;
    }

    Node nodes;
    std::vector<double> entry;
};

// Sorted by (row, col), no duplicates, no self-loops, positive, both directions with the same bits, between kept nodes.
inline bool is_proper(const rlap::View& view, Node nodes) {
    const Dense dense(view, nodes);
    const std::int64_t *row = view.from(), *col = view.to();
    for (std::int64_t e = 0; e < view.edges; ++e) {
        const auto u = static_cast<Node>(row[e]), v = static_cast<Node>(col[e]);
        const bool after = e == 0 || row[e - 1] < row[e] || (row[e - 1] == row[e] && col[e - 1] < col[e]);
        if (!after || u == v || !(dense(u, v) > 0) || dense(u, v) != dense(v, u)) return false;
    }
    return true;
}

inline bool same(const rlap::View& a, const rlap::View& b) {
    const auto equal = [](const auto& x, const auto& y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); };
    return a.edges == b.edges && std::equal(a.from(), a.from() + 2 * a.edges, b.from()) && equal(a.weight, b.weight) &&
           equal(a.weight_single, b.weight_single) && equal(a.node_mask, b.node_mask) && equal(a.ground, b.ground);
}

}  // namespace graphs
