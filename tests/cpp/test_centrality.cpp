// Eigenvector centrality by its definition, on connected graphs, ties and batches.
#include "check.hpp"
#include "diffusion/centrality.hpp"
#include "graphs.hpp"

namespace {

using namespace rlap;

// A x = value x with no entry negative, and of the norm 1: on a connected graph there is one such vector.
void check_leading(const Graph& graph, const Buffer<double>& x, double tolerance) {
    double value = 0, square = 0, off = 0;
    std::vector<double> product(graph.nodes, 0.0);
    for (Node u = 0; u < graph.nodes; ++u) {
        CHECK(x[u] >= 0);
        for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at)
            product[u] += graph.weight_at(at) * x[graph.neighbor[at]];
        value += x[u] * product[u];
        square += x[u] * x[u];
    }
    for (Node u = 0; u < graph.nodes; ++u) off = std::max(off, std::abs(product[u] - value * x[u]));
    CHECK(check::close(square, 1, 1e-12));
    CHECK(off <= tolerance * value);
}

void connected() {
    for (const bool weighted : {false, true})
        for (const Node nodes : {3, 4, 5, 30, 500}) {
            const Graph graph = graphs::build(nodes, graphs::ring(nodes, nodes > 3 ? nodes : 0, nodes, weighted));
            check_leading(graph, eigenvector_centrality(graph), 1e-12);
        }
}

// Bipartite: a second eigenvalue is as far from zero as the first. The leaves have 1 / sqrt(leaves) of the hub.
void star() {
    std::vector<graphs::Weighted> edges;
    for (Node leaf = 1; leaf <= 100; ++leaf) edges.push_back({0, leaf, 1e-300});
    const auto x = eigenvector_centrality(graphs::build(101, edges));
    CHECK(check::close(x[0], std::sqrt(0.5), 1e-12));
    for (Node leaf = 1; leaf <= 100; ++leaf) CHECK(check::close(x[leaf], std::sqrt(0.5) / 10, 1e-12));
}

// Two triangles lead together, a pair and a lone node have nothing; a second graph of lone nodes has equal values.
void ties() {
    const auto x = eigenvector_centrality(graphs::build(
        13, {{0, 1, 1}, {1, 2, 1}, {0, 2, 1}, {3, 4, 1}, {5, 6, 1}, {6, 7, 1}, {5, 7, 1}}, {0, 9, 9, 13}));
    for (const Node u : {0, 1, 2, 5, 6, 7}) CHECK(check::close(x[u], 1 / std::sqrt(6.0), 1e-12));
    for (const Node u : {3, 4, 8}) CHECK(x[u] == 0);
    for (const Node u : {9, 10, 11, 12}) CHECK(check::close(x[u], 0.5, 1e-12));
}

// A graph in a batch is what it is alone, whatever the others weigh.
void batch() {
    const auto plain = graphs::ring(50, 30, 1, false);
    auto edges = plain;
    for (const auto& edge : graphs::ring(20, 10, 2, true, 50)) edges.push_back(edge);
    const auto together = eigenvector_centrality(graphs::build(70, edges, {0, 50, 70}));
    const auto alone = eigenvector_centrality(graphs::build(50, plain));
    CHECK(std::equal(alone.begin(), alone.end(), together.begin()));
    CHECK(eigenvector_centrality(graphs::build(0, {})).empty());
}

}  // namespace

int main() {
    connected();
    star();
    ties();
    batch();
    return check::result();
}
