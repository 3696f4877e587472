// Labels are a permutation that keeps components together, and blocks cover every label once.
#include "check.hpp"
#include "graph/locality.hpp"
#include "graphs.hpp"

namespace {

using namespace rlap;

// Two graphs: a ring, a pair and an isolated node; then a ring alone.
Graph batch() {
    auto edges = graphs::ring(40, 20, 1);
    edges.push_back({40, 41, 1.0});
    for (const auto& edge : graphs::ring(20, 5, 2, true, 43)) edges.push_back(edge);
    return graphs::build(63, edges, {0, 43, 63});
}

void labels() {
    const Graph graph = batch();
    const Locality locality(graph);
    CHECK(locality.part.size() == 5);
    for (Node u = 0; u < graph.nodes; ++u) {
        CHECK(locality.node[locality.label[u]] == u);
        CHECK((locality.label[u] < 43) == (u < 43));
        for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at)
            CHECK(locality.part_of[locality.label[u]] == locality.part_of[locality.label[graph.neighbor[at]]]);
    }
    for (std::size_t c = 0; c + 1 < locality.part.size(); ++c)
        for (Node l = locality.part[c]; l < locality.part[c + 1]; ++l) {
            CHECK(locality.part_of[l] == static_cast<Node>(c));
            CHECK(locality.part_of[locality.by_node[l]] == static_cast<Node>(c));
            if (l > locality.part[c])
                CHECK(locality.node[locality.by_node[l - 1]] < locality.node[locality.by_node[l]]);
        }
}

// On a path, neighbours have neighbouring labels: that is what the order is for.
void narrow() {
    std::vector<graphs::Weighted> edges;
    for (Node i = 0; i + 1 < 30; ++i) edges.push_back({i * 7 % 30, (i + 1) * 7 % 30, 1.0});
    const Graph graph = graphs::build(30, edges);
    const Locality locality(graph);
    for (const auto& edge : edges) CHECK(std::abs(locality.label[edge.u] - locality.label[edge.v]) == 1);
}

void blocks() {
    const Graph graph = batch();
    const Locality locality(graph);
    Node next = 0;
    for (const Block& block : cut_blocks(graph, locality, 16)) {
        CHECK(block.first == next && block.last > block.first && block.last - block.first <= 16);
        CHECK(block.first >= graph.first[block.graph] && block.last <= graph.first[block.graph + 1]);
        CHECK(block.begin <= block.first && block.end >= block.last);
        for (const Node edge : {block.begin, block.end})
            CHECK(std::find(locality.part.begin(), locality.part.end(), edge) != locality.part.end());
        next = block.last;
    }
    CHECK(next == graph.nodes);
}

void nothing() {
    const Graph graph = graphs::build(0, {});
    const Locality locality(graph);
    CHECK(locality.part.size() == 1);
    CHECK(cut_blocks(graph, locality, 16).empty());
}

}  // namespace

int main() {
    labels();
    narrow();
    blocks();
    nothing();
    return check::result();
}
