// The star of a node: its old edges, the new ones that waited for its block and those that came since, as in a map.
#include <map>
#include <random>
#include <vector>

#include "check.hpp"
#include "graphs.hpp"
#include "schur/ordered.hpp"

namespace {

using namespace rlap;

std::map<Node, double> as_map(const Star& star) {
    std::map<Node, double> sum;
    for (Node i = 0; i < star.size; ++i) sum.emplace(star.label[i], star.weight[i]);
    return sum;
}

void parallel_edges_are_merged(bool weighted, bool grounded) {
    const Node nodes = 300, gone = 200;
    const Graph graph = graphs::build(nodes, graphs::ring(nodes, 1500, 7, weighted));
    const std::int64_t count = gone;
    const std::vector<double> ground(nodes, 0.25);
    const Task task{graph,
                    {NodeOrder::random, nullptr, nullptr, &count},
                    NeighborOrder::ascending,
                    3,
                    grounded ? ground.data() : nullptr,
                    {},
                    {}};
    Labels labels(task, 0, 1);
    labels.set(0);
    StarReader reader;
    reader.set(labels);
    std::mt19937_64 random(1);
    LateEdges late;
    late.open(0, gone);
    for (Node turn = 0; turn < gone; ++turn) {
        std::map<Node, double> expected;
        const Node u = labels.order[turn];
        for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at)
            if (labels.label[graph.neighbor[at]] > turn)
                expected[labels.label[graph.neighbor[at]]] = graph.weight_at(at);
        if (grounded) expected[labels.ground] = 0.25;
        const auto draw = [&] {
            const Node x = turn + 1 + static_cast<Node>(random() % static_cast<std::uint64_t>(nodes - turn));
            return grounded && x == nodes ? labels.ground : std::min(x, nodes - 1);
        };
        std::vector<Arrival> arrived;
        for (auto left = random() % 40; left > 0; --left) arrived.push_back({1.0 + 0.001 * left, draw()});
        std::vector<Arrival> since;
        for (auto left = random() % 10; left > 0; --left) since.push_back({2.0 + 0.001 * left, draw()});
        for (const Arrival& edge : arrived) expected[edge.high] += edge.weight;
        for (auto edge = since.rbegin(); edge != since.rend(); ++edge) {
            late.add(turn, edge->high, edge->weight);  // the last comes first
        }
        for (const Arrival& edge : since) expected[edge.high] += edge.weight;
        reader.gather<false>(labels, turn, arrived, late);
        CHECK(static_cast<std::size_t>(reader.star.size) == expected.size());
        CHECK(as_map(reader.star) == expected);
    }
}

}  // namespace

int main() {
    for (const bool weighted : {false, true})
        for (const bool grounded : {false, true}) parallel_edges_are_merged(weighted, grounded);
    return check::result();
}
