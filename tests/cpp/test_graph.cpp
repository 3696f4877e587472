// Edge lists, good and bad, in all four pairs of types.
#include <limits>

#include "check.hpp"
#include "graph/graph.hpp"
#include "graphs.hpp"

namespace {

using namespace rlap;

template <class Index, class Weight>
struct List {
    std::int64_t nodes;
    std::vector<Index> row, col;
    std::vector<Weight> weight = {};
    std::vector<std::int64_t> first = {};
    bool symmetrize = false;

    Graph build() const {
        const std::vector<std::int64_t> one{0, nodes};
        const auto& offsets = first.empty() ? one : first;
        return build_graph(EdgeList<Index, Weight>{nodes, static_cast<std::int64_t>(row.size()), row.data(), col.data(),
                                                   weight.empty() ? nullptr : weight.data(),
                                                   static_cast<std::int64_t>(offsets.size()) - 1, offsets.data()},
                           symmetrize);
    }
};

bool is(const Graph& graph, const std::vector<std::int64_t>& start, const std::vector<Node>& neighbor,
        const std::vector<double>& weight) {
    return std::equal(graph.start.begin(), graph.start.end(), start.begin(), start.end()) &&
           std::equal(graph.neighbor.begin(), graph.neighbor.end(), neighbor.begin(), neighbor.end()) &&
           std::equal(graph.weight.begin(), graph.weight.end(), weight.begin(), weight.end());
}

template <class Index, class Weight>
void good_lists() {
    using L = List<Index, Weight>;
    CHECK(is(L{0, {}, {}}.build(), {0}, {}, {}));
    CHECK(is(L{3, {}, {}}.build(), {0, 0, 0, 0}, {}, {}));
    CHECK(is(L{3, {0, 1, 1, 2}, {1, 0, 2, 1}}.build(), {0, 1, 3, 4}, {1, 0, 2, 1}, {}));
    CHECK(is(L{3, {0, 1, 1, 2}, {1, 0, 2, 1}, {2, 2, 3, 3}}.build(), {0, 1, 3, 4}, {1, 0, 2, 1}, {2, 2, 3, 3}));
    CHECK(is(L{3, {2, 1, 0, 1}, {1, 2, 1, 0}, {3, 3, 2, 2}}.build(), {0, 1, 3, 4}, {1, 0, 2, 1}, {2, 2, 3, 3}));
    // Ones need no storage, self-loops are dropped, duplicates summed.
    CHECK(L{2, {0, 1}, {1, 0}, {1, 1}}.build().weight.empty());
    CHECK(is(L{2, {0, 0, 1, 1}, {0, 1, 0, 1}, {5, 2, 2, 7}}.build(), {0, 1, 2}, {1, 0}, {2, 2}));
    CHECK(is(L{2, {0, 1, 0}, {1, 0, 1}, {1, 4, 3}}.build(), {0, 1, 2}, {1, 0}, {4, 4}));
    CHECK(is(L{2, {0, 1, 0, 1}, {1, 0, 1, 0}}.build(), {0, 1, 2}, {1, 0}, {2, 2}));
    CHECK(is(L{2, {0, 0}, {1, 1}, {}, {}, true}.build(), {0, 1, 2}, {1, 0}, {2, 2}));
    CHECK(is(L{2, {0, 1}, {1, 0}, {1, 4}, {}, true}.build(), {0, 1, 2}, {1, 0}, {2.5, 2.5}));
    CHECK(is(L{4, {0, 1, 2, 3}, {1, 0, 3, 2}, {}, {0, 2, 2, 4}}.build(), {0, 1, 2, 3, 4}, {1, 0, 3, 2}, {}));
    CHECK(L{4, {0, 1, 2, 3}, {1, 0, 3, 2}, {}, {0, 2, 2, 4}}.build().graphs() == 3);
    // Rounding is not asymmetry; the two directions end up with the same bits.
    const auto three = static_cast<Weight>(3), next = std::nextafter(three, static_cast<Weight>(4));
    const Graph rounded = L{2, {0, 1}, {1, 0}, {three, next}}.build();
    CHECK(rounded.weight[0] == rounded.weight[1] && rounded.weight[0] >= three && rounded.weight[0] <= next);
    const Weight least = std::numeric_limits<Weight>::denorm_min();
    CHECK(L{2, {0, 1}, {1, 0}, {least, least}}.build().weight[0] >= std::numeric_limits<double>::min());
}

template <class Index, class Weight>
void bad_lists() {
    using L = List<Index, Weight>;
    const Weight nan = std::numeric_limits<Weight>::quiet_NaN(), inf = std::numeric_limits<Weight>::infinity();
    const Weight most = std::numeric_limits<Weight>::max();
    CHECK_THROWS("[0, 2) (got 2 at edge 1)", (L{2, {0, 2}, {1, 0}}.build()));
    CHECK_THROWS("[0, 2) (got -1 at edge 0)", (L{2, {0, 1}, {-1, 0}}.build()));
    CHECK_THROWS("[0, 2) (got -1 at edge 1)", (L{2, {0, -1}, {1, 0}}.build()));
    CHECK_THROWS("[0, 0) (got 0 at edge 0)", (L{0, {0}, {0}}.build()));
    CHECK_THROWS("(got " + std::to_string(std::numeric_limits<Index>::max()),
                 (L{2, {0, std::numeric_limits<Index>::max()}, {1, 0}}.build()));
    CHECK_THROWS("positive and finite (got -1 at edge 1)", (L{2, {0, 1}, {1, 0}, {1, -1}}.build()));
    CHECK_THROWS("positive and finite (got 0 at edge 0)", (L{2, {0, 1}, {1, 0}, {0, 0}}.build()));
    CHECK_THROWS("positive and finite (got nan at edge 0)", (L{2, {0, 1}, {1, 0}, {nan, nan}}.build()));
    CHECK_THROWS("positive and finite (got inf at edge 1)", (L{2, {0, 1}, {1, 0}, {1, inf}}.build()));
    CHECK_THROWS("positive and finite (got -1 at edge 2)", (L{2, {0, 1, 0}, {1, 0, 0}, {1, 1, -1}}.build()));
    if (sizeof(Weight) == 8) CHECK_THROWS("finite sum (got inf)", (L{2, {0, 1}, {1, 0}, {most, most}}.build()));
    if (sizeof(Weight) == 8)  // the other direction, which is added, counts too
        CHECK_THROWS("finite sum (got inf)", (L{2, {0}, {1}, {most}, {}, true}.build()));
    CHECK_THROWS("both directions of every edge (got 0 -> 1 at edge 0 without", (L{2, {0}, {1}}.build()));
    CHECK_THROWS("(got 2 -> 1 at edge 2 without", (L{3, {0, 1, 2}, {1, 0, 1}}.build()));
    CHECK_THROWS("same in both directions (got 1 for 0 -> 1 but 2 for its reverse",
                 (L{2, {0, 1}, {1, 0}, {1, 2}}.build()));
    CHECK_THROWS("one graph of the batch (got 1 -> 2 at edge 0)", (L{4, {1, 2}, {2, 1}, {}, {0, 2, 4}}.build()));
    CHECK_THROWS("num_nodes must lie in [0, 2147483646] (got -1)", (L{-1, {}, {}}.build()));
    CHECK_THROWS("num_nodes must lie in [0, 2147483646] (got 2147483647)", (L{2147483647, {}, {}}.build()));
}

// However the list is written, the graph is the same.
void order_does_not_matter() {
    Stream draws(3);
    const auto edges = graphs::ring(40, 80, 2);
    const Graph expected = graphs::build(40, edges);
    for (int round = 0; round < 20; ++round) {
        List<std::int64_t, double> list{40, {}, {}};
        std::vector<std::pair<graphs::Weighted, bool>> halves;
        for (const auto& edge : edges)
            for (const bool turn : {false, true}) halves.push_back({edge, turn});
        for (std::size_t i = halves.size(); i > 1; --i) std::swap(halves[i - 1], halves[draws.next_below(i)]);
        for (const auto& [edge, turn] : halves) {
            list.row.push_back(turn ? edge.v : edge.u);
            list.col.push_back(turn ? edge.u : edge.v);
            list.weight.push_back(edge.weight);
        }
        const Graph graph = list.build();
        CHECK(std::equal(graph.start.begin(), graph.start.end(), expected.start.begin(), expected.start.end()));
        CHECK(std::equal(graph.neighbor.begin(), graph.neighbor.end(), expected.neighbor.begin(),
                         expected.neighbor.end()));
        for (std::size_t at = 0; at < graph.weight.size(); ++at)
            CHECK(check::close(graph.weight[at], expected.weight[at], 1e-15));
    }
}

template <class Index, class Weight>
void all() {
    good_lists<Index, Weight>();
    bad_lists<Index, Weight>();
}

}  // namespace

int main() {
    all<std::int32_t, float>();
    all<std::int32_t, double>();
    all<std::int64_t, float>();
    all<std::int64_t, double>();
    order_does_not_matter();
    return check::result();
}
