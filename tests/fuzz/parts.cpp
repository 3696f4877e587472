// Parts of a graph: edges merged, eliminated and walked on, and clusters from a stream of edges.

#include "graph/cluster.hpp"
#include "input.hpp"
#include "schur/part.hpp"

namespace {

using namespace fuzz;

struct Edges {
    std::vector<Node> source, target;
    std::vector<double> weight;
    std::vector<std::uint8_t> filled;

    Edges(Input& input, Node nodes, bool wild) {
        while (!input.empty() && source.size() < 160) {
            const std::uint8_t u = input.byte(), v = input.byte();
            source.push_back(wild ? u - 2 : u % nodes);
            target.push_back(wild ? v : v % nodes);
            weight.push_back(input.number());
            filled.push_back(u & 1);
        }
    }
    void turn() {
        source.swap(target);
        std::reverse(source.begin(), source.end());
        std::reverse(target.begin(), target.end());
        std::reverse(weight.begin(), weight.end());
        std::reverse(filled.begin(), filled.end());
    }
    RawEdges raw() const {
        return {static_cast<std::int64_t>(source.size()), source.data(), target.data(), weight.data(), filled.data()};
    }
};

void check(const PartEdges& edges, Node nodes) {
    HOLDS(edges.high.size() == edges.size() && edges.weight.size() == edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
        HOLDS(edges.low[e] >= 0 && edges.low[e] < edges.high[e] && edges.high[e] < nodes && edges.filled[e] <= 1);
        HOLDS(e == 0 || edges.low[e - 1] < edges.low[e] ||
              (edges.low[e - 1] == edges.low[e] && edges.high[e - 1] < edges.high[e]));
        HOLDS(edges.weight[e] > 0 && std::isfinite(edges.weight[e]));
    }
}

void eliminate(Input& input, Node nodes, bool wild) {
    const std::uint8_t orders = input.byte(), share = input.byte(), seed = input.byte();
    const std::int64_t gap = 1 + input.byte();
    Edges given(input, nodes, wild);
    const PartEdges merged = merge_edges(given.raw(), nodes);
    check(merged, nodes);
    given.turn();
    const PartEdges turned = merge_edges(given.raw(), nodes);
    HOLDS(turned.size() == merged.size());
    HOLDS(std::equal(merged.weight.begin(), merged.weight.end(), turned.weight.begin()));
    std::vector<Node> order(nodes);
    std::iota(order.begin(), order.end(), 0);
    Stream draws(seed);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draws.next_below(i)]);
    std::vector<std::int64_t> id(nodes);
    for (Node u = 0; u < nodes; ++u) id[u] = gap * u + (gap << 40);
    const auto gone = static_cast<Node>(nodes * share / 255);
    const PartEdges left =
        eliminate_part({merged, nodes, id.data(), order.data(), gone, static_cast<NeighborOrder>(orders % 4), seed});
    check(left, nodes);
    for (Node i = 0; i < gone; ++i)
        for (std::size_t e = 0; e < left.size(); ++e) HOLDS(left.low[e] != order[i] && left.high[e] != order[i]);
}

// Rows of any numbers, in which a walk must not leave the arrays.
void walk(Input& input, Node nodes, bool wild) {
    const std::uint8_t walks = input.below(4);
    std::vector<std::int64_t> start{0}, step(walks);
    std::vector<Node> to, place(walks);
    std::vector<double> weight, length(walks);
    std::vector<std::uint64_t> key(walks);
    for (int w = 0; w < walks; ++w) {
        place[w] = static_cast<Node>(w % nodes);
        key[w] = mix(w);
        step[w] = std::numeric_limits<std::int64_t>::max() - w;
    }
    for (Node u = 0; u < nodes; ++u) {
        for (int degree = input.below(8); degree > 0; --degree) {
            const std::uint8_t where = input.byte();
            const bool exits = where >= 128;
            to.push_back(exits ? ~Node{where} : wild ? where : where % nodes);
            weight.push_back(input.number());
        }
        start.push_back(static_cast<std::int64_t>(to.size()));
    }
    walk_part({start.data(), to.data(), weight.data(), walks, key.data(), step.data(), place.data(), length.data()},
              nodes);
    for (const Node exit : place) HOLDS(exit >= 128 && exit < 256);
}

void cluster(Input& input, Node nodes, bool wild) {
    const std::int64_t most = input.number() > 4 ? input.raw<std::int64_t>() : input.byte();
    std::vector<std::int64_t> source, target, name(nodes, -1), volume(nodes, 0);
    std::vector<std::int32_t> degree(nodes, 0);
    if (wild)
        for (Node u = 0; u < nodes; ++u) {
            name[u] = input.byte() - 2;
            degree[u] = input.raw<std::int32_t>();
            volume[u] = input.raw<std::int64_t>();
        }
    while (!input.empty()) {
        source.push_back(wild ? input.byte() - 2 : input.byte() % nodes);
        target.push_back(wild ? input.byte() : input.byte() % nodes);
    }
    for (const bool count : {true, false})
        cluster_edges({nodes, static_cast<std::int64_t>(source.size()), source.data(), target.data(), name.data(),
                       degree.data(), volume.data(), most, count});
    if (wild) return;
    for (const std::int64_t one : name) HOLDS(one >= -1 && one < nodes);
    std::vector<std::int64_t> sum(nodes, 0);
    for (Node u = 0; u < nodes; ++u)
        if (name[u] >= 0) sum[name[u]] += degree[u];
    HOLDS(sum == volume);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const std::uint8_t kind = input.byte();
    const Node nodes = 1 + input.byte() % 128;
    const bool wild = kind & 4;
    try {
        switch (kind % 4) {
            case 0:
                walk(input, nodes, wild);
                break;
            case 1:
                cluster(input, nodes, wild);
                break;
            default:
                eliminate(input, nodes, wild);
        }
    } catch (const std::invalid_argument&) {
    } catch (const std::runtime_error&) {  // walks that take too long
    }
    return 0;
}
