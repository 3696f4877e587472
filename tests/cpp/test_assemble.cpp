// Old and new edges merged into a view, against a dense matrix that adds them up.
#include <limits>

#include "check.hpp"
#include "graphs.hpp"
#include "schur/assemble.hpp"

namespace {

using namespace rlap;

struct Case {
    Node nodes;
    bool weighted, relabel, single, ground;
};

void merges_like_a_dense_matrix(const Case& given, std::uint64_t seed) {
    Stream draws(seed);
    const Graph graph = graphs::build(given.nodes, graphs::ring(given.nodes, given.nodes, seed, given.weighted));
    Kept kept(given.nodes);
    for (Node u = 0; u < given.nodes; ++u) kept.keep(u, draws.next_below(3) > 0);
    const Node rows = kept.rows();

    graphs::Dense expected(graph);
    for (Node u = 0; u < given.nodes; ++u)
        for (Node v = 0; v < given.nodes; ++v)
            if (kept.row_of[u] < 0 || kept.row_of[v] < 0) expected(u, v) = 0;
    std::vector<double> leak(given.nodes, 0.0);
    RowLog log(rows);
    for (Node i = 0; i < 5 * rows; ++i) {
        const auto x = static_cast<Node>(draws.next_below(rows)), y = static_cast<Node>(draws.next_below(rows));
        const double weight = 0.25 * static_cast<double>(1 + draws.next_below(8));  // sums of quarters are exact
        if (x == y) {
            if (!given.ground) continue;
            log.push({x, rows, weight});
            leak[kept.node[x]] += weight;
            continue;
        }
        log.push({std::min(x, y), std::max(x, y), weight});
        expected(kept.node[x], kept.node[y]) += weight;
        expected(kept.node[y], kept.node[x]) += weight;
    }

    const Output output{given.relabel, given.single, given.ground};
    const View view = assemble(graph, kept, log, output);
    CHECK(graphs::is_proper(view, given.nodes));
    CHECK(view.weight.empty() == given.single || view.edges == 0);
    CHECK(view.weight_single.empty() != given.single || view.edges == 0);
    const graphs::Dense made(view, given.nodes);
    std::int64_t edges = 0;
    for (Node u = 0; u < given.nodes; ++u) {
        CHECK((kept.row_of[u] >= 0) == (view.node_mask[u] == 1));
        for (Node v = 0; v < given.nodes; ++v) {
            edges += expected(u, v) > 0;
            if (kept.row_of[u] < 0 || kept.row_of[v] < 0) continue;
            const double weight = given.relabel ? made(kept.row_of[u], kept.row_of[v]) : made(u, v);
            CHECK(check::close(weight, expected(u, v), given.single ? 1e-6 : 1e-15));
        }
    }
    CHECK(edges == view.edges);
    CHECK(view.ground.size() == static_cast<std::size_t>(!given.ground ? 0 : given.relabel ? rows : given.nodes));
    for (Node u = 0; u < given.nodes; ++u)
        if (given.ground && (!given.relabel || kept.row_of[u] >= 0))
            CHECK(view.ground[given.relabel ? kept.row_of[u] : u] == leak[u]);
}

void nothing_is_kept() {
    const Graph graph = graphs::build(5, graphs::ring(5, 0, 1));
    for (const bool ground : {false, true}) {
        Kept kept(5);
        for (Node u = 0; u < 5; ++u) kept.keep(u, false);
        RowLog log(0);
        const View view = assemble(graph, kept, log, {false, false, ground});
        CHECK(view.edges == 0 && view.node_mask.size() == 5);
        CHECK(view.ground.size() == (ground ? 5U : 0U));
    }
}

// A weight below what single precision holds stays positive.
void narrowing_keeps_edges() {
    const Graph graph = graphs::build(2, {{0, 1, 1e-300}});
    Kept kept(2);
    kept.keep(0, true);
    kept.keep(1, true);
    RowLog log(2);
    const View view = assemble(graph, kept, log, {false, true, false});
    CHECK(view.edges == 2 && view.weight_single[0] == std::numeric_limits<float>::denorm_min());
}

// Buckets give back their edges in the order in which they came, over several pages, and can be used again.
void logs_keep_their_order() {
    EdgeLog log(3);
    for (int round = 0; round < 3; ++round) {
        for (Node i = 0; i < 1000; ++i) log.push(i % 3, {i, i + 1, 1.0 * i});
        for (std::size_t bucket = 0; bucket < log.buckets(); ++bucket) {
            auto next = static_cast<Node>(bucket);
            log.each(bucket, [&](const Edge& edge) {
                CHECK(edge.low == next && edge.high == next + 1 && edge.weight == next);
                next += 3;
            });
            CHECK(next >= 1000);
            log.clear(bucket, log);
            log.each(bucket, [](const Edge&) { CHECK(false); });
        }
    }
}

}  // namespace

int main() {
    std::uint64_t seed = 0;
    for (const Node nodes : {4, 5, 30, 200})
        for (int bits = 0; bits < 16; ++bits)
            merges_like_a_dense_matrix({nodes, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0},
                                       ++seed);
    nothing_is_kept();
    narrowing_keeps_edges();
    logs_keep_their_order();
    return check::result();
}
