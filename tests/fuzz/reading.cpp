// An edge list of any bytes becomes a graph that keeps all promises, the same on one thread and on two, or is refused.
#include <optional>
#include <utility>

#include "input.hpp"

namespace {

using namespace fuzz;
using Pair = std::pair<std::int64_t, std::int64_t>;

void check_graph(const Graph& graph, const List& list) {
    HOLDS(graph.nodes == list.nodes && graph.first.size() == list.first.size());
    HOLDS(std::equal(graph.first.begin(), graph.first.end(), list.first.begin()));
    HOLDS(graph.start.size() == static_cast<std::size_t>(graph.nodes) + 1 && graph.start[0] == 0);
    HOLDS(graph.start[graph.nodes] == static_cast<std::int64_t>(graph.neighbor.size()));
    HOLDS(graph.weight.empty() || graph.weight.size() == graph.neighbor.size());
    HOLDS(std::isfinite(graph.total));
    std::vector<Pair> made, given;
    for (Node u = 0; u < graph.nodes; ++u) {
        HOLDS(graph.start[u] <= graph.upper[u] && graph.upper[u] <= graph.start[u + 1]);
        const auto end = std::upper_bound(graph.first.begin(), graph.first.end(), u);
        for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at) {
            const Node v = graph.neighbor[at];
            HOLDS(v >= end[-1] && v < *end && v != u && (v > u) == (at >= graph.upper[u]));
            HOLDS(at == graph.start[u] || graph.neighbor[at - 1] < v);
            HOLDS(graph.weight_at(at) > 0 && std::isfinite(graph.weight_at(at)));
            made.push_back({u, v});
        }
    }
    for (std::size_t at = 0; at < made.size(); ++at) {
        const auto reverse = std::lower_bound(made.begin(), made.end(), Pair{made[at].second, made[at].first});
        HOLDS(reverse != made.end() && *reverse == Pair(made[at].second, made[at].first));
        HOLDS(graph.weight_at(reverse - made.begin()) == graph.weight_at(static_cast<std::int64_t>(at)));
    }
    // No edge was lost, and none was made up.
    for (std::size_t e = 0; e < list.row.size(); ++e) {
        if (list.row[e] == list.col[e]) continue;
        given.push_back({list.row[e], list.col[e]});
        if (list.symmetrize) given.push_back({list.col[e], list.row[e]});
    }
    std::sort(given.begin(), given.end());
    given.erase(std::unique(given.begin(), given.end()), given.end());
    HOLDS(given == made);
}

// Whether a list without weights keeps every rule; a pair may come often, but as often as its reverse.
bool is_fine(const List& list) {
    std::vector<Pair> there, back;
    for (std::size_t g = 1; g < list.first.size(); ++g)
        if (list.first[g] < list.first[g - 1] || list.first[g] > list.nodes) return false;
    if (list.nodes < 0 || list.first.back() != list.nodes) return false;
    const auto graph_of = [&](std::int64_t u) { return std::upper_bound(list.first.begin(), list.first.end(), u); };
    for (std::size_t e = 0; e < list.row.size(); ++e) {
        const std::int64_t u = list.row[e], v = list.col[e];
        if (u < 0 || v < 0 || u >= list.nodes || v >= list.nodes || graph_of(u) != graph_of(v)) return false;
        if (u == v) continue;
        there.push_back({u, v});
        back.push_back({v, u});
    }
    std::sort(there.begin(), there.end());
    std::sort(back.begin(), back.end());
    return list.symmetrize || there == back;
}

template <class Index, class Weight>
void read(const List& list, bool shared) {
    std::optional<Graph> graph;
    try {
        graph = list.build<Index, Weight>(shared ? &pool() : nullptr);
    } catch (const std::invalid_argument&) {
        HOLDS(!list.weight.empty() || !is_fine(list));
        return;
    }
    check_graph(*graph, list);
    HOLDS(!list.weight.empty() || is_fine(list));
    const Graph other = list.build<Index, Weight>(shared ? nullptr : &pool());
    const auto equal = [](const auto& x, const auto& y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); };
    HOLDS(equal(graph->start, other.start) && equal(graph->neighbor, other.neighbor));
    HOLDS(equal(graph->weight, other.weight) && equal(graph->upper, other.upper));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const std::uint8_t types = input.byte();
    List list = read_list(input, 256);
    // A graph of millions of nodes is only slow, and one of 2^31 - 1 is refused.
    if (list.nodes > 4096 && list.nodes < std::int64_t{1} << 31) list.nodes += (std::int64_t{1} << 31) - 1;
    const bool shared = types & 4;
    if (types & 1) {
        // What an index of 32 bits does not hold is another test's.
        for (std::vector<std::int64_t>* ends : {&list.row, &list.col})
            for (std::int64_t& end : *ends) end = static_cast<std::int32_t>(end);
        types & 2 ? read<std::int32_t, float>(list, shared) : read<std::int32_t, double>(list, shared);
    } else {
        types & 2 ? read<std::int64_t, float>(list, shared) : read<std::int64_t, double>(list, shared);
    }
    return 0;
}
