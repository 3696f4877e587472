// The edges of a graph between any kept nodes, and any log of new ones, merged by one thread and by two.
#include <set>
#include <utility>

#include "input.hpp"

namespace {

using namespace fuzz;

void run(Input& input) {
    const std::uint8_t options = input.byte(), keep = input.byte(), edges = input.byte();
    const Output output{(options & 1) != 0, (options & 2) != 0, (options & 4) != 0};
    struct New {
        std::uint8_t x, y;
        double weight;
    };
    std::vector<New> added;
    double total = 0;
    for (int e = 0; e < edges; ++e) {
        added.push_back({input.byte(), input.byte(), input.number()});
        if (!(added.back().weight > 0)) return;
        total += added.back().weight;
    }
    const Graph graph = read_graph(input, 160);
    if (!std::isfinite(total + graph.total)) return;
    Kept kept(graph.nodes);
    Stream draws(keep);
    for (Node u = 0; u < graph.nodes; ++u) kept.keep(u, keep == 255 || draws.next_below(256) < keep);
    const Node rows = kept.rows();

    std::set<std::pair<Node, Node>> expected;
    for (const Node u : kept.node)
        for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at)
            if (kept.row_of[graph.neighbor[at]] >= 0)
                expected.insert({kept.row_of[u], kept.row_of[graph.neighbor[at]]});
    OwnedLogs one(1, rows), two(2, rows);
    for (const New& edge : added) {
        if (rows == 0) break;
        const Node x = edge.x % rows, y = edge.y % rows;
        if (x == y && !output.ground) continue;
        const Edge put{std::min(x, y), x == y ? rows : std::max(x, y), edge.weight};
        one.push_row(put);
        two.push_row(put);
        if (x != y) expected.insert({x, y}), expected.insert({y, x});
    }
    const View view = assemble(graph, kept, one.all()[0], output);
    check_view(view, graph.nodes, output);
    HOLDS(view.edges == static_cast<std::int64_t>(expected.size()));
    std::int64_t e = 0;
    for (const auto& [x, y] : expected) {
        HOLDS(view.from()[e] == (output.relabel ? x : kept.node[x]));
        HOLDS(view.to()[e++] == (output.relabel ? y : kept.node[y]));
    }
    const View other = assemble(graph, kept, two.all(), output, pool());
    HOLDS(other.edges == view.edges && std::equal(view.from(), view.from() + 2 * view.edges, other.from()));
    HOLDS(std::equal(view.weight.begin(), view.weight.end(), other.weight.begin(), other.weight.end()));
    HOLDS(std::equal(view.weight_single.begin(), view.weight_single.end(), other.weight_single.begin()));
    HOLDS(std::equal(view.ground.begin(), view.ground.end(), other.ground.begin(), other.ground.end()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    try {
        run(input);
    } catch (const std::invalid_argument&) {
    }
    return 0;
}
