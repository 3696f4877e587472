// Threads that stay together: every piece is done once, exceptions arrive, and a graph's view has the bits of one
// thread.
#include <atomic>
#include <stdexcept>

#include "base/thread_pool.hpp"
#include "check.hpp"
#include "graphs.hpp"
#include "schur/eliminate.hpp"
#include "schur/terminal.hpp"

namespace {

using namespace rlap;

constexpr int kTeams[] = {2, 3, 8};

void every_piece_is_done_once() {
    for (const int threads : {1, 2, 5}) {
        ThreadPool pool(threads);
        for (const int pieces : {0, 1, 2, 7, 1000})
            for (int job = 0; job < 20; ++job) {
                std::vector<int> done(pieces, 0);
                pool.each(pieces, [&](int thread, std::int64_t piece) { done[piece] += 1 + (thread >= threads); });
                CHECK(std::all_of(done.begin(), done.end(), [](int times) { return times == 1; }));
            }
    }
}

void an_exception_arrives_and_the_team_goes_on() {
    ThreadPool pool(3);
    for (int job = 0; job < 50; ++job) {
        CHECK_THROWS("piece 5", pool.each(100, [](int, std::int64_t piece) {
            if (piece == 5) throw std::runtime_error("piece 5");
        }));
        std::atomic<int> done = 0;
        pool.each(100, [&](int, std::int64_t) { ++done; });
        CHECK(done == 100);
    }
}

std::vector<graphs::Weighted> star(Node leaves) {
    std::vector<graphs::Weighted> edges;
    for (Node v = 1; v <= leaves; ++v) edges.push_back({0, v, 1.0});
    return edges;
}

std::vector<graphs::Weighted> clique(Node nodes) {
    std::vector<graphs::Weighted> edges;
    for (Node u = 0; u < nodes; ++u)
        for (Node v = u + 1; v < nodes; ++v) edges.push_back({u, v, 1.0 + u});
    return edges;
}

void views_have_the_bits_of_one_thread() {
    std::vector<Graph> inputs;
    inputs.push_back(graphs::build(3000, graphs::ring(3000, 9000, 1)));
    inputs.push_back(graphs::build(2000, graphs::ring(2000, 4000, 2, false)));
    inputs.push_back(graphs::build(700, graphs::ring(500, 0, 3)));  // a ring, and nodes without edges
    inputs.push_back(graphs::build(900, star(800)));
    inputs.push_back(graphs::build(90, clique(90)));
    inputs.push_back(graphs::build(0, {}));
    for (const Graph& graph : inputs) {
        const Node nodes = graph.nodes;
        std::vector<Node> order(nodes);
        for (Node u = 0; u < nodes; ++u) order[u] = u;
        std::vector<double> ground(nodes);
        for (Node u = 0; u < nodes; ++u) ground[u] = u % 3;
        std::vector<std::uint8_t> keep(nodes);
        for (Node u = 0; u < nodes; ++u) keep[u] = u % 2;
        const std::int64_t begin[] = {0, nodes};
        for (const double share : {0.5, 0.97, 1.0})
            for (const NodeOrder node_order : {NodeOrder::random, NodeOrder::given, NodeOrder::degree})
                for (const NeighborOrder neighbors :
                     {NeighborOrder::ascending, NeighborOrder::random, NeighborOrder::coarsen})
                    for (const bool grounded : {false, true}) {
                        const auto count = static_cast<std::int64_t>(share * nodes);
                        const double* leak = grounded ? ground.data() : nullptr;
                        const std::vector<Task> task{{graph,
                                                      {node_order, order.data(), begin, &count},
                                                      neighbors,
                                                      11,
                                                      leak,
                                                      {true, grounded, grounded},
                                                      {},
                                                      false}};
                        const std::vector<View> alone = eliminate_all(task, 1, 0);
                        for (const int threads : kTeams)
                            CHECK(graphs::same(alone[0], eliminate_all(task, threads, 0)[0]));
                    }
        for (const bool grounded : {false, true}) {
            WalkTask task{graph, keep.data(), 4, grounded ? ground.data() : nullptr, {false, false, grounded}, 1, 0};
            const View alone = walk_schur(task);
            for (const int threads : kTeams) {
                task.threads = threads;
                CHECK(graphs::same(alone, walk_schur(task)));
            }
        }
    }
}

// Sorted lists with self-loops, weights, and faults in the middle: read alike by any number of threads.
void edges_are_read_alike() {
    const Node nodes = 400;
    std::vector<std::vector<double>> weight(nodes, std::vector<double>(nodes, 0.0));
    for (const graphs::Weighted& edge : graphs::ring(nodes, 900, 6)) {
        weight[edge.u][edge.v] = weight[edge.v][edge.u] = edge.weight;
        if (edge.u % 7 == 0) weight[edge.u][edge.u] = 3;
    }
    std::vector<std::int64_t> row, col;
    std::vector<double> value;
    for (Node u = 0; u < nodes; ++u)
        for (Node v = 0; v < nodes; ++v) {
            if (weight[u][v] == 0) continue;
            row.push_back(u);
            col.push_back(v);
            value.push_back(weight[u][v]);
        }
    const std::int64_t first[] = {0, nodes};
    const auto read = [&](bool weighted, ThreadPool* pool) {
        return build_graph(EdgeList<std::int64_t, double>{nodes, static_cast<std::int64_t>(row.size()), row.data(),
                                                          col.data(), weighted ? value.data() : nullptr, 1, first},
                           false, pool);
    };
    for (const int threads : kTeams) {
        ThreadPool pool(threads);
        for (const bool weighted : {false, true}) {
            const Graph alone = read(weighted, nullptr), shared = read(weighted, &pool);
            CHECK(std::equal(alone.start.begin(), alone.start.end(), shared.start.begin(), shared.start.end()));
            CHECK(std::equal(alone.neighbor.begin(), alone.neighbor.end(), shared.neighbor.begin(),
                             shared.neighbor.end()));
            CHECK(std::equal(alone.weight.begin(), alone.weight.end(), shared.weight.begin(), shared.weight.end()));
        }
        for (const std::size_t at : {std::size_t{0}, row.size() / 2, row.size() - 1})
            for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{nodes}}) {
                const std::int64_t right = std::exchange(row[at], wrong);
                CHECK_THROWS("edge_index must lie in [0, num_nodes)", read(true, &pool));
                row[at] = right;
            }
        std::swap(row[3], row[row.size() / 2]);  // no longer sorted, and no longer symmetric
        CHECK_THROWS("both directions", read(false, &pool));
        std::swap(row[3], row[row.size() / 2]);
    }
}

}  // namespace

int main() {
    every_piece_is_done_once();
    an_exception_arrives_and_the_team_goes_on();
    views_have_the_bits_of_one_thread();
    edges_are_read_alike();
    return check::result();
}
