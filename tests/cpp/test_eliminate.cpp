// Whole eliminations: where no star has more than two leaves they are exact; elsewhere one elimination is, on average.
#include "base/thread_pool.hpp"
#include "check.hpp"
#include "graphs.hpp"
#include "schur/eliminate.hpp"

namespace {

using namespace rlap;

const NodeOrder kNodeOrders[] = {NodeOrder::random, NodeOrder::degree, NodeOrder::given};
const NeighborOrder kNeighborOrders[] = {NeighborOrder::ascending, NeighborOrder::descending, NeighborOrder::random,
                                         NeighborOrder::coarsen};

struct Choice {
    std::vector<Node> nodes;
    std::vector<std::int64_t> begin, count;

    // All nodes, in a mixed order, of which each graph loses a share.
    Choice(const Graph& graph, double share) : begin{0} {
        for (std::int64_t g = 0; g < graph.graphs(); ++g) {
            const Node first = graph.first[g], size = graph.first[g + 1] - first;
            for (Node i = 0; i < size; ++i) nodes.push_back(first + size - 1 - i);
            begin.push_back(static_cast<std::int64_t>(nodes.size()));
            count.push_back(static_cast<std::int64_t>(share * size));
        }
    }
    Selection selection(NodeOrder order) const { return {order, nodes.data(), begin.data(), count.data()}; }
};

// A ring of any weights has stars of two leaves: its Schur complement onto any nodes comes out exactly.
void rings_are_exact() {
    const Node nodes = 24;
    const Graph graph = graphs::build(nodes, graphs::ring(nodes, 0, 4));
    const Choice choice(graph, 0.6);
    for (const NodeOrder order : kNodeOrders)
        for (const NeighborOrder neighbors : kNeighborOrders) {
            const Task task{graph, choice.selection(order), neighbors, 5, nullptr, {}, {}, true};
            const Elimination done = eliminate(task, 0, 1);
            graphs::Dense expected(graph);
            for (const Node u : done.columns.node) expected.eliminate(u);
            const graphs::Dense made(done.view, nodes);
            for (std::size_t i = 0; i < made.entry.size(); ++i)
                CHECK(check::close(made.entry[i], expected.entry[i], 1e-12));
            CHECK(done.columns.node.size() == 14);
            for (const Node u : done.columns.node) CHECK(done.view.node_mask[u] == 0);
        }
}

// The mean of one elimination is the exact clique, also with a ground, whose column is the last of the matrix.
void one_elimination_has_the_exact_mean() {
    const Node nodes = 7;
    const Graph graph = graphs::build(nodes, graphs::ring(nodes, 8, 9));
    const std::vector<double> ground{0.5, 0, 1.5, 0, 0, 2, 0};
    for (const NeighborOrder neighbors : kNeighborOrders) {
        const Node gone = 2;
        const std::int64_t begin[] = {0, 1}, count[] = {1};
        graphs::Dense expected(nodes + 1);
        const graphs::Dense plain(graph);
        for (Node u = 0; u < nodes; ++u) {
            for (Node v = 0; v < nodes; ++v) expected(u, v) = plain(u, v);
            expected(u, nodes) = expected(nodes, u) = ground[u];
        }
        expected.eliminate(gone);
        std::vector<check::Mean> mean(expected.entry.size());
        for (std::uint64_t seed = 0; seed < 5000; ++seed) {
            const Task task{graph,
                            {NodeOrder::given, &gone, begin, count},
                            neighbors,
                            mix(seed),
                            ground.data(),
                            {false, false, true},
                            {},
                            false};
            const View view = eliminate(task, 0, 1).view;
            const graphs::Dense made(view, nodes);
            for (Node u = 0; u < nodes; ++u) {
                for (Node v = 0; v < nodes; ++v) mean[u * (nodes + 1) + v].add(made(u, v));
                mean[u * (nodes + 1) + nodes].add(view.ground[u]);
            }
        }
        for (Node u = 0; u < nodes; ++u)
            for (Node v = 0; v <= nodes; ++v)
                CHECK(mean[u * (nodes + 1) + v].off(expected(u, v)) < check::kMostDeviations);
    }
}

// What holds on average after many eliminations: the Laplacian of the graph left, and the sum of s s^T, is that of the
// graph (the martingale of the paper's appendix B). Off the diagonal, with the signs turned.
void many_eliminations_keep_the_mean(bool weighted) {
    const Node nodes = 8;
    const Graph graph = graphs::build(nodes, graphs::ring(nodes, 10, 21, weighted));
    const graphs::Dense expected(graph);
    const Choice choice(graph, 0.65);
    for (const NodeOrder order : kNodeOrders)
        for (const NeighborOrder neighbors : kNeighborOrders) {
            std::vector<check::Mean> mean(expected.entry.size());
            for (std::uint64_t seed = 0; seed < 3000; ++seed) {
                const Task task{graph, choice.selection(order), neighbors, mix(seed), nullptr, {}, {}, true};
                const Elimination done = eliminate(task, 0, 1);
                graphs::Dense whole(done.view, nodes);
                const Columns& columns = done.columns;
                for (std::size_t k = 0; k < columns.node.size(); ++k) {
                    if (columns.total[k] == 0) continue;
                    std::vector<double> s(nodes, 0.0);
                    s[columns.node[k]] = columns.total[k];
                    for (std::int64_t i = columns.begin[k]; i < columns.begin[k + 1]; ++i)
                        s[columns.neighbor[i]] -= columns.weight[i];
                    for (Node u = 0; u < nodes; ++u)
                        for (Node v = 0; v < nodes; ++v) whole(u, v) -= s[u] * s[v] / columns.total[k];
                }
                for (std::size_t i = 0; i < mean.size(); ++i) mean[i].add(whole.entry[i]);
            }
            for (Node u = 0; u < nodes; ++u)
                for (Node v = u + 1; v < nodes; ++v)
                    CHECK(mean[u * nodes + v].off(expected(u, v)) < check::kMostDeviations);
        }
}

void views_are_proper() {
    for (const bool weighted : {false, true}) {
        const Graph graph = graphs::build(60, graphs::ring(60, 150, 3, weighted));
        for (const double share : {0.0, 0.3, 0.8, 1.0}) {
            const Choice choice(graph, share);
            for (const NodeOrder order : kNodeOrders)
                for (const NeighborOrder neighbors : kNeighborOrders)
                    for (const bool single : {false, true}) {
                        const Task task{graph,   choice.selection(order), neighbors, 1,
                                        nullptr, {false, single, false},  {},        false};
                        const View view = eliminate(task, 0, 1).view;
                        CHECK(graphs::is_proper(view, 60));
                        CHECK(std::count(view.node_mask.begin(), view.node_mask.end(), 1) == 60 - choice.count[0]);
                        if (share == 0) CHECK(view.edges == graph.start[60]);
                    }
        }
    }
}

// On a tree, eliminated from its leaves, the factor is exact: R + sum of s s^T is the Laplacian, and it solves.
void factors_of_trees_are_exact() {
    const Node nodes = 30;
    std::vector<graphs::Weighted> edges;
    Stream draws(8);
    for (Node v = 1; v < nodes; ++v)
        edges.push_back({static_cast<Node>(draws.next_below(v)), v, 0.5 + uniform(draws.next())});
    const Graph graph = graphs::build(nodes, edges);
    const Choice all(graph, 1.0);  // the last node first: always a leaf
    const Task task{graph, all.selection(NodeOrder::given), NeighborOrder::ascending, 1, nullptr, {}, {}, true};
    const Columns columns = eliminate(task, 0, 1).columns;
    graphs::Dense product(nodes);
    for (std::size_t k = 0; k < columns.node.size(); ++k) {
        if (columns.total[k] == 0) continue;
        std::vector<double> s(nodes, 0.0);
        s[columns.node[k]] = columns.total[k];
        for (std::int64_t i = columns.begin[k]; i < columns.begin[k + 1]; ++i)
            s[columns.neighbor[i]] -= columns.weight[i];
        for (Node u = 0; u < nodes; ++u)
            for (Node v = 0; v < nodes; ++v) product(u, v) += s[u] * s[v] / columns.total[k];
    }
    const graphs::Dense weights(graph);
    std::vector<double> x(nodes + 1, 0.0), solution(nodes + 1, 0.0);
    for (Node u = 0; u < nodes; ++u) x[u] = uniform(draws.next());
    for (Node u = 0; u < nodes; ++u)
        for (Node v = 0; v < nodes; ++v) {
            if (u != v) CHECK(std::abs(product(u, v) + weights(u, v)) < 1e-12);
            solution[u] += weights(u, v) * (x[u] - x[v]);
        }
    columns.solve(solution.data(), nodes);
    for (Node u = 0; u < nodes; ++u) CHECK(std::abs(solution[u] - solution[0] - (x[u] - x[0])) < 1e-10);
}

void snapshots_follow_the_elimination() {
    const Graph graph = graphs::build(40, graphs::ring(40, 60, 2));
    const Choice choice(graph, 0.75);
    const std::vector<double> ground(40, 0.1);
    for (const NodeOrder order : kNodeOrders)
        for (const double* leak : {static_cast<const double*>(nullptr), ground.data()}) {
            const Task task{graph, choice.selection(order),         NeighborOrder::random, 3,
                            leak,  {false, false, leak != nullptr}, {0, 0, 7, 30, 30},     false};
            const Elimination done = eliminate(task, 0, 1);
            CHECK(done.snapshots.size() == 5);
            const std::int64_t gone[] = {0, 0, 7, 30, 30};
            for (std::size_t i = 0; i < done.snapshots.size(); ++i) {
                const View& view = done.snapshots[i];
                CHECK(graphs::is_proper(view, 40));
                CHECK(std::count(view.node_mask.begin(), view.node_mask.end(), 0) == gone[i]);
            }
            CHECK(done.snapshots[0].edges == graph.start[40]);
            CHECK(graphs::same(done.snapshots[4], done.view));
            CHECK(graphs::same(done.snapshots[3], done.view));
        }
}

// A batch is its graphs one by one, on any number of threads, relabelled or not.
void batches_are_their_graphs() {
    const std::vector<Node> sizes{300, 4, 500, 0, 200, 400};  // edges enough for several threads
    std::vector<std::int64_t> first{0};
    std::vector<graphs::Weighted> edges;
    for (const Node size : sizes) {
        const auto from = static_cast<Node>(first.back());
        if (size > 3)
            for (const auto& edge : graphs::ring(size, 60 * size, size, true, from)) edges.push_back(edge);
        first.push_back(from + size);
    }
    const auto nodes = static_cast<Node>(first.back());
    const Graph graph = graphs::build(nodes, edges, first);
    const Choice choice(graph, 0.5);
    const std::vector<double> ground(nodes, 0.3);
    for (const NodeOrder order : kNodeOrders)
        for (const bool relabel : {false, true})
            for (const double* leak : {static_cast<const double*>(nullptr), ground.data()}) {
                const auto task = [&](std::uint64_t seed) {
                    return Task{graph,
                                choice.selection(order),
                                NeighborOrder::ascending,
                                seed,
                                leak,
                                {relabel, false, leak != nullptr},
                                {},
                                false};
                };
                const std::vector<Task> tasks{task(1), task(2)};
                const auto alone = eliminate_all(tasks, 1, kLeastShared);
                CHECK(alone.size() == 2 && !graphs::same(alone[0], alone[1]));
                for (const int threads : {2, 16}) {
                    const auto shared = eliminate_all(tasks, threads, kLeastShared);
                    CHECK(graphs::same(shared[0], alone[0]) && graphs::same(shared[1], alone[1]));
                }
                std::int64_t total = 0;
                for (std::int64_t g = 0; g < graph.graphs(); ++g) total += eliminate(tasks[0], g, g + 1).view.edges;
                CHECK(total == alone[0].edges);
            }
    CHECK(eliminate_all({}, 4, kLeastShared).empty());
}

// A hub of many leaves: the sort for long lists, and a log of many pages.
void large_star() {
    const Node leaves = 3000;
    std::vector<graphs::Weighted> edges;
    for (Node v = 1; v <= leaves; ++v) edges.push_back({0, v, 1.0 + 0.001 * v});
    const Graph graph = graphs::build(leaves + 1, edges);
    const Node hub = 0;
    const std::int64_t begin[] = {0, 1}, count[] = {1};
    for (const NodeOrder order : kNodeOrders)
        for (const NeighborOrder neighbors : kNeighborOrders) {
            const Task task{graph, {order, &hub, begin, count}, neighbors, 1, nullptr, {}, {}, false};
            const View view = eliminate(task, 0, 1).view;
            CHECK(view.edges == 2 * (leaves - 1));
            CHECK(graphs::is_proper(view, leaves + 1));
        }
}

}  // namespace

int main() {
    rings_are_exact();
    one_elimination_has_the_exact_mean();
    many_eliminations_keep_the_mean(false);
    many_eliminations_keep_the_mean(true);
    views_are_proper();
    factors_of_trees_are_exact();
    snapshots_follow_the_elimination();
    batches_are_their_graphs();
    large_star();
    return check::result();
}
