// PageRank satisfies its own equation, sums to 1, and is the same in a batch as alone.
#include "check.hpp"
#include "diffusion/pagerank.hpp"
#include "graphs.hpp"

namespace {

using namespace rlap;

// What a surfer finds who follows edges for one step from x, in one graph. It must be x again.
void check_equation(const Graph& graph, const Buffer<double>& x, double alpha, double tol) {
    double sum = 0, jumping = 0, change = 0;
    for (Node u = 0; u < graph.nodes; ++u) {
        sum += x[u];
        jumping += graph.degree(u) ? (1 - alpha) * x[u] : x[u];
    }
    const Buffer<double> degree = degrees(graph);
    for (Node u = 0; u < graph.nodes; ++u) {
        double after = jumping / graph.nodes;
        for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at)
            after += alpha * x[graph.neighbor[at]] * graph.weight_at(at) / degree[graph.neighbor[at]];
        change += std::abs(after - x[u]);
    }
    CHECK(check::close(sum, 1, tol + 1e-12));
    CHECK(change <= 2 * tol + 1e-13);
}

void equation() {
    for (const double alpha : {0.0, 1e-300, 0.3, 0.85, 0.999})
        for (const double tol : {1e-4, 1e-10, 1e-300})
            for (const bool weighted : {false, true}) {
                // The ring, a pair and two lone nodes; with weights of very different sizes.
                auto edges = graphs::ring(40, 30, 5, weighted);
                edges.push_back({40, 41, weighted ? 1e-12 : 1.0});
                const Graph graph = graphs::build(44, edges);
                check_equation(graph, pagerank(graph, alpha, tol), alpha, tol);
            }
}

void batch() {
    const auto plain = graphs::ring(50, 30, 1, false), other = graphs::ring(20, 10, 2);
    auto edges = plain;
    for (const auto& edge : other) edges.push_back({edge.u + 50, edge.v + 50, edge.weight});
    const auto together = pagerank(graphs::build(73, edges, {0, 50, 50, 71, 73}), 0.85, 1e-10);
    const auto first = pagerank(graphs::build(50, plain), 0.85, 1e-10);
    const auto second = pagerank(graphs::build(21, other), 0.85, 1e-10);
    CHECK(std::equal(first.begin(), first.end(), together.begin()));
    CHECK(std::equal(second.begin(), second.end(), together.begin() + 50));
    CHECK(together[71] == 0.5 && together[72] == 0.5);
    CHECK(pagerank(graphs::build(0, {}), 0.85, 1e-10).empty());
}

}  // namespace

int main() {
    equation();
    batch();
    return check::result();
}
