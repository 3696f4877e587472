// Walks take edges, each as often as its weight says, and nothing but the seed, the graph and their number matters.
#include "check.hpp"
#include "graphs.hpp"
#include "sampling/walks.hpp"

namespace {

using namespace rlap;

std::vector<Node> repeat(Node node, std::int64_t times) { return std::vector<Node>(times, node); }

RestartTask task_of(const Graph& graph, const std::vector<Node>& start, std::int64_t steps, double restart,
                    std::uint64_t seed, int threads = 1, bool uniform = false) {
    return {graph, start.data(), static_cast<std::int64_t>(start.size()), steps, restart, uniform, seed, threads};
}

// From a hub with the weights 1 .. 5: leaf k is taken with probability k / 15, or 1 / 5 when uniform.
void frequencies() {
    std::vector<graphs::Weighted> edges;
    for (Node leaf = 1; leaf <= 5; ++leaf) edges.push_back({0, leaf, static_cast<double>(leaf)});
    const Graph graph = graphs::build(6, edges);
    const auto start = repeat(0, 100000);
    for (const bool uniform : {false, true})
        for (const double restart : {0.0, 0.25}) {
            const auto places = walk_restarting(task_of(graph, start, 1, restart, 7, 2, uniform));
            std::vector<double> count(6, 0.0);
            for (std::size_t w = 0; w < start.size(); ++w) ++count[places[2 * w + 1]];
            for (Node u = 0; u < 6; ++u) {
                const double chance = u == 0 ? restart : (1 - restart) * (uniform ? 0.2 : u / 15.0);
                const double mean = chance * start.size(), deviation = std::sqrt(mean * (1 - chance));
                CHECK(std::abs(count[u] - mean) <= check::kMostDeviations * deviation);
            }
        }
}

void threads() {
    const Graph graph = graphs::build(300, graphs::ring(300, 200, 4));
    std::vector<Node> start;
    for (Node w = 0; w < 5000; ++w) start.push_back(w * 7 % 300);
    const auto one = walk_restarting(task_of(graph, start, 40, 0.1, 11));
    const auto seen = visit_restarting(task_of(graph, start, 40, 0.1, 11));
    std::vector<std::uint8_t> met(300, 0);
    for (const std::int64_t place : one) met[place] = 1;
    CHECK(std::equal(met.begin(), met.end(), seen.begin()));
    for (const int many : {2, 3, 8}) {
        const auto other = walk_restarting(task_of(graph, start, 40, 0.1, 11, many));
        const auto also = visit_restarting(task_of(graph, start, 40, 0.1, 11, many));
        CHECK(std::equal(one.begin(), one.end(), other.begin()));
        CHECK(std::equal(seen.begin(), seen.end(), also.begin()));
    }
}

// Without weights alone, with weights of 1 in the batch: still the same walks.
void batch() {
    const auto plain = graphs::ring(40, 30, 1, false), other = graphs::ring(20, 10, 2);
    auto edges = other;
    for (const auto& edge : plain) edges.push_back({edge.u + 20, edge.v + 20, 1.0});
    const Graph both = graphs::build(61, edges, {0, 20, 61}), first = graphs::build(20, other),
                second = graphs::build(41, plain);
    std::vector<Node> start, own[2];
    for (Node w = 0; w < 2000; ++w) {
        start.push_back(w * 17 % 61);
        own[start.back() >= 20].push_back(start.back() - (start.back() >= 20 ? 20 : 0));
    }
    const auto together = walk_restarting(task_of(both, start, 30, 0.2, 3, 2));
    const auto one = walk_restarting(task_of(first, own[0], 30, 0.2, derive_seed(3, 0, 0)));
    const auto two = walk_restarting(task_of(second, own[1], 30, 0.2, derive_seed(3, 0, 1)));
    std::size_t taken[2] = {0, 0};
    for (std::size_t w = 0; w < start.size(); ++w) {
        const int g = start[w] >= 20;
        const auto& alone = g ? two : one;
        for (int step = 0; step <= 30; ++step)
            CHECK(together[w * 31 + step] == alone[taken[g] * 31 + step] + (g ? 20 : 0));
        ++taken[g];
    }
}

void nothing() {
    const Graph lonely = graphs::build(3, {});
    const std::vector<Node> start{2, 0};
    const auto places = walk_restarting(task_of(lonely, start, 2, 0.5, 1));
    const std::int64_t expected[] = {2, 2, 2, 0, 0, 0};
    CHECK(std::equal(places.begin(), places.end(), expected));
    const auto seen = visit_restarting(task_of(lonely, {}, 5, 0, 1));
    CHECK(std::all_of(seen.begin(), seen.end(), [](std::uint8_t mark) { return mark == 0; }));
}

}  // namespace

int main() {
    frequencies();
    threads();
    batch();
    nothing();
    return check::result();
}
