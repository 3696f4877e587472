// The bucket queue against a search over all nodes, and the orders that are known beforehand against counting.
#include <map>

#include "check.hpp"
#include "graphs.hpp"
#include "schur/ordering.hpp"

namespace {

using namespace rlap;

Node least_degree(const Buffer<Node>& degree, const std::vector<bool>& waiting) {
    Node least = -1;
    for (std::size_t x = 0; x < waiting.size(); ++x)
        if (waiting[x] && (least < 0 || degree[x] < least)) least = degree[x];
    return least;
}

// Degrees rise without a word and fall with one, also past the number of nodes, where the last bucket holds all.
void pops_a_node_of_least_degree(std::uint64_t seed) {
    Stream draws(seed);
    const auto nodes = static_cast<Node>(1 + draws.next_below(40));
    Buffer<Node> degree(nodes), candidates;
    std::vector<bool> waiting(nodes, false);
    for (Node x = 0; x < nodes; ++x) {
        degree[x] = static_cast<Node>(draws.next_below(nodes));
        waiting[x] = draws.next_below(5) > 0;
        if (waiting[x]) candidates.push_back(x);
    }
    DegreeQueue queue(candidates, degree, nodes, Stream(seed));
    for (std::size_t popped = 0; popped < candidates.size(); ++popped) {
        for (int change = 0; change < 10; ++change) {
            const auto x = static_cast<Node>(draws.next_below(nodes));
            if (draws.next_below(2)) {
                degree[x] += static_cast<Node>(draws.next_below(nodes));
            } else {
                degree[x] -= static_cast<Node>(draws.next_below(static_cast<std::uint64_t>(degree[x]) + 1));
                queue.decreased(x);
            }
        }
        const Node least = least_degree(degree, waiting), x = queue.pop();
        CHECK(waiting[x]);
        CHECK(std::min(degree[x], nodes) == std::min(least, nodes));
        waiting[x] = false;
    }
}

void breaks_ties_evenly() {
    constexpr Node kNodes = 6;
    Buffer<Node> degree(kNodes), candidates;
    for (Node x = 0; x < kNodes; ++x) candidates.push_back(x);
    std::vector<std::int64_t> first(kNodes, 0), second(kNodes, 0);
    for (std::uint64_t seed = 0; seed < 6000; ++seed) {
        std::fill(degree.begin(), degree.end(), 2);
        DegreeQueue queue(candidates, degree, kNodes, Stream(mix(seed)));
        const Node x = queue.pop();
        ++first[x];
        // Half of the others rise and fall back: where they have been must not matter.
        for (Node y = 0; y < kNodes; y += 2) degree[y] += 3;
        for (Node y = 0; y < kNodes; y += 2) {
            degree[y] -= 3;
            queue.decreased(y);
        }
        ++second[queue.pop()];
    }
    CHECK(check::even(first));
    CHECK(check::even(second));
}

void orders_that_are_known() {
    const Graph graph = graphs::build(9, graphs::ring(4, 0, 1), {0, 4, 9});
    const std::int64_t two[] = {2, 5};
    Selection all{NodeOrder::random, nullptr, nullptr, two};
    std::map<std::pair<Node, Node>, std::int64_t> pairs;
    for (std::uint64_t seed = 0; seed < 6000; ++seed) {
        const Buffer<Node> order = known_order(graph, all, 0, mix(seed));
        CHECK(order.size() == 2);
        ++pairs[{order[0], order[1]}];
        std::vector<bool> seen(9, false);
        for (const Node u : known_order(graph, all, 1, mix(seed))) {
            CHECK(u >= 4 && u < 9 && !seen[u]);
            seen[u] = true;
        }
    }
    std::vector<std::int64_t> counts;
    for (const auto& [pair, count] : pairs) {
        CHECK(pair.first != pair.second && pair.first < 4 && pair.second < 4);
        counts.push_back(count);
    }
    CHECK(counts.size() == 12);
    CHECK(check::even(counts));

    const Node nodes[] = {3, 1, 0, 8, 4, 6};
    const std::int64_t begin[] = {0, 3, 6}, one[] = {2, 1};
    const Selection given{NodeOrder::given, nodes, begin, one};
    const Buffer<Node> order = known_order(graph, given, 0, 5);
    CHECK(order.size() == 2 && order[0] == 3 && order[1] == 1);
    CHECK(known_order(graph, given, 1, 5)[0] == 8);
    const Selection chosen{NodeOrder::random, nodes, begin, one};
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        for (const Node u : known_order(graph, chosen, 1, seed)) CHECK(u == 8 || u == 4 || u == 6);
}

}  // namespace

int main() {
    for (std::uint64_t seed = 0; seed < 300; ++seed) pops_a_node_of_least_degree(seed);
    breaks_ties_evenly();
    orders_that_are_known();
    return check::result();
}
