// Parts: eliminated piece by piece they give what the whole gives in that order, and walks stop at the exits.
#include <limits>
#include <numeric>

#include "check.hpp"
#include "graph/cluster.hpp"
#include "graphs.hpp"
#include "schur/eliminate.hpp"
#include "schur/part.hpp"

namespace {

using namespace rlap;

// Edges as columns.
struct List {
    std::vector<Node> source, target;
    std::vector<double> weight;
    std::vector<std::uint8_t> filled;

    void add(std::int64_t u, std::int64_t v, double w, std::uint8_t fill = 0) {
        source.push_back(static_cast<Node>(u));
        target.push_back(static_cast<Node>(v));
        weight.push_back(w);
        filled.push_back(fill);
    }
    PartEdges merged(Node nodes) const {
        return merge_edges(
            {static_cast<std::int64_t>(source.size()), source.data(), target.data(), weight.data(), filled.data()},
            nodes);
    }
};

void the_order_of_the_input_does_not_matter() {
    List one, two;
    Stream draws(3);
    for (int i = 0; i < 2000; ++i) {
        const auto u = static_cast<Node>(draws.next_below(20)), v = static_cast<Node>(draws.next_below(20));
        one.add(u, v, uniform(draws.next()));
    }
    for (std::size_t i = one.source.size(); i-- > 0;) two.add(one.target[i], one.source[i], one.weight[i]);
    const PartEdges first = one.merged(20), second = two.merged(20);
    CHECK(first.size() == 190 && second.size() == 190);
    double sum = 0, total = 0;
    for (std::size_t i = 0; i < one.source.size(); ++i) sum += one.source[i] == one.target[i] ? 0 : one.weight[i];
    for (std::size_t e = 0; e < first.size(); ++e) {
        CHECK(first.low[e] == second.low[e] && first.high[e] == second.high[e] && first.weight[e] == second.weight[e]);
        CHECK(first.low[e] < first.high[e]);
        total += first.weight[e];
    }
    CHECK(check::close(total, sum, 1e-12));
}

void weights_must_be_finite() {
    for (const double weight : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
        List list;
        list.add(0, 1, weight);
        CHECK_THROWS("must be positive", list.merged(2));
    }
    for (const double weight : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::max()}) {
        List list;
        list.add(0, 1, weight);
        CHECK_THROWS("must have a finite sum", list.merged(2));
    }
}

// Half of the order in one call and half in another: what is fill has to be known.
void pieces_give_the_whole(bool weighted, NeighborOrder neighbors) {
    const Node nodes = 60;
    const auto edges = graphs::ring(nodes, 120, 8, weighted);
    const Graph graph = graphs::build(nodes, edges);
    std::vector<Node> order(nodes);
    for (Node i = 0; i < nodes; ++i) order[i] = (7 * i + 3) % nodes;
    const std::int64_t begin[] = {0, nodes}, count[] = {40};
    const Task task{graph, {NodeOrder::given, order.data(), begin, count}, neighbors, 5, nullptr, {}, {}, false};
    const graphs::Dense expected(eliminate(task, 0, 1).view, nodes);
    std::vector<std::int64_t> id(nodes);
    std::iota(id.begin(), id.end(), 0);
    List columns;
    for (const auto& edge : edges) columns.add(edge.u, edge.v, edge.weight);
    PartEdges left = columns.merged(nodes);
    for (const int from : {0, 20})
        left = eliminate_part({left, nodes, id.data(), order.data() + from, 20, neighbors, 5});
    graphs::Dense made(nodes);
    for (std::size_t e = 0; e < left.size(); ++e)
        made(left.low[e], left.high[e]) = made(left.high[e], left.low[e]) = left.weight[e];
    for (std::size_t i = 0; i < made.entry.size(); ++i) CHECK(check::close(made.entry[i], expected.entry[i], 1e-12));
}

// A path of two nodes between the exits 0 and 1; and two nodes without an exit.
void walks_stop_at_exits() {
    const std::int64_t start[] = {0, 2, 4};
    const Node to[] = {~0, 1, 0, ~1};
    const double weight[] = {1.0, 0.5, 0.5, 0.25};
    constexpr std::int64_t kWalks = 20'000;
    std::vector<std::uint64_t> key(kWalks);
    std::vector<std::int64_t> step(kWalks, 0);
    std::vector<Node> place(kWalks, 0);
    std::vector<double> length(kWalks, 0.0);
    for (std::int64_t w = 0; w < kWalks; ++w) key[w] = mix(w + 1);
    walk_part({start, to, weight, kWalks, key.data(), step.data(), place.data(), length.data()}, 2);
    std::int64_t far = 0;
    for (std::int64_t w = 0; w < kWalks; ++w) {
        far += place[w] == 1;
        const double back = 2.0 * static_cast<double>(step[w] - 1);  // all steps but the last have resistance 2
        CHECK(length[w] == back + (place[w] == 0 ? 1.0 : 4.0));
    }
    // Resistances 1 to the one exit, and 2 + 4 to the other: the far one is met once in seven.
    const double chance = 1.0 / 7, error = std::sqrt(chance * (1 - chance) / kWalks);
    CHECK(std::abs(static_cast<double>(far) / kWalks - chance) < 4 * error);

    const Node closed[] = {1, 1, 0, 0};
    std::vector<Node> stuck(1, 0);
    CHECK_THROWS("10000 steps",
                 walk_part({start, closed, weight, 1, key.data(), step.data(), stuck.data(), length.data()}, 2));
}

// Two complete graphs with one edge between them.
void clusters_find_what_is_dense() {
    std::vector<std::int64_t> source, target;
    for (const std::int64_t first : {0, 6})
        for (std::int64_t u = first; u < first + 6; ++u)
            for (std::int64_t v = first; v < u; ++v) {
                source.push_back(u);
                target.push_back(v);
            }
    source.push_back(0);
    target.push_back(6);
    std::vector<std::int64_t> cluster(13, -1), volume(13, 0);
    std::vector<std::int32_t> degree(13, 0);
    for (const bool count : {true, false, false})
        cluster_edges({13, static_cast<std::int64_t>(source.size()), source.data(), target.data(), cluster.data(),
                       degree.data(), volume.data(), 32, count});
    for (int u = 0; u < 12; ++u) CHECK(cluster[u] == cluster[u < 6 ? 0 : 6]);
    CHECK(cluster[0] != cluster[6] && cluster[12] == -1);
    CHECK(volume[cluster[0]] == 31 && volume[cluster[6]] == 31);
}

}  // namespace

int main() {
    the_order_of_the_input_does_not_matter();
    weights_must_be_finite();
    for (const bool weighted : {false, true})
        for (const NeighborOrder neighbors :
             {NeighborOrder::ascending, NeighborOrder::descending, NeighborOrder::random})
            pieces_give_the_whole(weighted, neighbors);
    walks_stop_at_exits();
    clusters_find_what_is_dense();
    return check::result();
}
