// Terminal random walks: unbiased for any kept nodes, the same on any number of threads, and never without an end.
#include "check.hpp"
#include "graphs.hpp"
#include "schur/terminal.hpp"

namespace {

using namespace rlap;

void mean_is_the_exact_schur_complement(bool weighted, const std::vector<double>& ground) {
    const Node nodes = 8;
    const Graph graph = graphs::build(nodes, graphs::ring(nodes, 6, 5, weighted));
    const std::vector<std::uint8_t> keep{1, 0, 0, 1, 0, 0, 1, 0};
    graphs::Dense expected(nodes + 1);
    const graphs::Dense plain(graph);
    for (Node u = 0; u < nodes; ++u) {
        for (Node v = 0; v < nodes; ++v) expected(u, v) = plain(u, v);
        if (!ground.empty()) expected(u, nodes) = expected(nodes, u) = ground[u];
    }
    for (Node u = 0; u < nodes; ++u)
        if (!keep[u]) expected.eliminate(u);
    std::vector<check::Mean> mean(expected.entry.size());
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        const View view = walk_schur({graph,
                                      keep.data(),
                                      mix(seed),
                                      ground.empty() ? nullptr : ground.data(),
                                      {false, false, !ground.empty()},
                                      1});
        CHECK(graphs::is_proper(view, nodes));
        const graphs::Dense made(view, nodes);
        for (Node u = 0; u < nodes; ++u) {
            for (Node v = 0; v < nodes; ++v) mean[u * (nodes + 1) + v].add(made(u, v));
            if (!ground.empty()) mean[u * (nodes + 1) + nodes].add(view.ground[u]);
        }
    }
    for (Node u = 0; u < nodes; ++u)
        for (Node v = 0; v < nodes + !ground.empty(); ++v)
            CHECK(mean[u * (nodes + 1) + v].off(expected(u, v)) < check::kMostDeviations);
}

void threads_do_not_matter() {
    const Node nodes = 3000;
    for (const bool weighted : {false, true}) {
        const Graph graph = graphs::build(nodes, graphs::ring(nodes, 120000, 6, weighted));
        std::vector<std::uint8_t> keep(nodes);
        for (Node u = 0; u < nodes; ++u) keep[u] = mix(u) % 2;
        const std::vector<double> ground(nodes, 0.5);
        for (const double* leak : {static_cast<const double*>(nullptr), ground.data()})
            for (const bool relabel : {false, true}) {
                const auto view = [&](std::uint64_t seed, int threads) {
                    return walk_schur({graph, keep.data(), seed, leak, {relabel, true, leak != nullptr}, threads});
                };
                const View alone = view(1, 1);
                CHECK(graphs::same(alone, view(1, 2)) && graphs::same(alone, view(1, 4)));
                CHECK(!graphs::same(alone, view(2, 1)));
            }
    }
}

// From nodes 5 to 7 no walk ever meets a kept node; node 8 is alone.
void lost_nodes_leave_nothing() {
    const Graph graph = graphs::build(9, {{0, 1, 1}, {1, 2, 1}, {2, 3, 2}, {3, 4, 1}, {5, 6, 1}, {6, 7, 3}});
    const std::vector<std::uint8_t> keep{1, 0, 0, 0, 1, 0, 0, 0, 0};
    const View view = walk_schur({graph, keep.data(), 1, nullptr, {}, 2});
    CHECK(graphs::is_proper(view, 9));
    for (std::int64_t e = 0; e < 2 * view.edges; ++e) CHECK(view.from()[e] == 0 || view.from()[e] == 4);
    const std::vector<double> ground{0, 0, 0, 0, 0, 0, 0, 1, 0};  // an end for the walks of 5 to 7
    const View leaky = walk_schur({graph, keep.data(), 1, ground.data(), {false, false, true}, 2});
    for (Node u = 0; u < 9; ++u) CHECK(leaky.ground[u] == 0);
    const std::vector<std::uint8_t> nobody(9, 0);
    CHECK(walk_schur({graph, nobody.data(), 1, nullptr, {}, 1}).edges == 0);
    const std::vector<std::uint8_t> everybody(9, 1);
    CHECK(walk_schur({graph, everybody.data(), 1, nullptr, {}, 1}).edges == graph.start[9]);
}

// A walk on a ring of n nodes takes n^2 / 6 steps on average to one of them.
void walks_that_take_too_long_are_given_up() {
    const Graph graph = graphs::build(2000, graphs::ring(2000, 0, 1, false));
    std::vector<std::uint8_t> keep(2000, 0);
    keep[0] = 1;
    CHECK_THROWS("too few nodes are kept", walk_schur({graph, keep.data(), 1, nullptr, {}, 2}));
}

}  // namespace

int main() {
    for (const bool weighted : {false, true}) {
        mean_is_the_exact_schur_complement(weighted, {});
        mean_is_the_exact_schur_complement(weighted, {0, 0.5, 0, 1, 2, 0, 0, 0});
    }
    threads_do_not_matter();
    lost_nodes_leave_nothing();
    walks_that_take_too_long_are_given_up();
    return check::result();
}
