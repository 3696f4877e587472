// Hashes of what the core computes, the same with every compiler and on every processor: `golden` prints them, and
// `golden FILE` compares them with those of a file. The input is made of integers, so that it cannot differ itself.
#include <bit>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <string>

#include "base/fingerprint.hpp"
#include "diffusion/centrality.hpp"
#include "diffusion/diffusion.hpp"
#include "diffusion/pagerank.hpp"
#include "graph/cluster.hpp"
#include "graphs.hpp"
#include "nn/layers.hpp"
#include "sampling/edge_subset.hpp"
#include "sampling/keyed_uniform.hpp"
#include "sampling/walks.hpp"
#include "schur/eliminate.hpp"
#include "schur/part.hpp"
#include "schur/terminal.hpp"

namespace {

using namespace rlap;

// FNV-1a, a value at a time.
class Hash {
  public:
    Hash& add(std::uint64_t value) {
        state_ = (state_ ^ value) * 0x100000001B3ULL;
        state_ ^= state_ >> 32;
        return *this;
    }
    Hash& add(double value) { return add(std::bit_cast<std::uint64_t>(value)); }
    Hash& add(float value) { return add(std::uint64_t{std::bit_cast<std::uint32_t>(value)}); }
    Hash& add(std::int64_t value) { return add(static_cast<std::uint64_t>(value)); }
    Hash& add(std::int32_t value) { return add(std::int64_t{value}); }
    Hash& add(std::uint8_t value) { return add(std::uint64_t{value}); }
    template <class Values>
    Hash& all(const Values& values) {
        for (const auto& value : values) add(value);
        return *this;
    }
    Hash& view(const View& view) {
        for (std::int64_t e = 0; e < 2 * view.edges; ++e) add(view.from()[e]);
        return all(view.weight).all(view.weight_single).all(view.node_mask).all(view.ground);
    }
    template <class Real>
    Hash& rows(const Rows<Real>& rows) {
        return all(rows.start).all(rows.column).all(rows.value);
    }
    Hash& edges(const PartEdges& edges) { return all(edges.low).all(edges.high).all(edges.weight).all(edges.filled); }
    std::uint64_t value() const { return state_; }

  private:
    std::uint64_t state_ = 0xCBF29CE484222325ULL;
};

std::map<std::string, std::uint64_t> hashes;

void record(const std::string& name, const Hash& hash) { hashes[name] = hash.value(); }

// Every bit of a weight is used, and none is rounded.
double drawn(Stream& draws) { return static_cast<double>((1ULL << 52) + (draws.next() >> 12)) * 0x1p-53; }

// Chords on a path, and a hub with so many neighbours that lists of every length are sorted.
std::vector<graphs::Weighted> tangle(Node nodes, int chords, bool weighted, Node from = 0) {
    Stream draws(static_cast<std::uint64_t>(nodes));
    std::vector<graphs::Weighted> edges;
    const auto add = [&](std::uint64_t u, std::uint64_t v) {
        if (u != v)
            edges.push_back({from + static_cast<Node>(u), from + static_cast<Node>(v), weighted ? drawn(draws) : 1.0});
    };
    const auto size = static_cast<std::uint64_t>(nodes);
    for (std::uint64_t u = 1; u < size; ++u) add(u - 1, u);
    if (nodes > 3)
        for (int i = 0; i < chords; ++i) {
            const std::uint64_t u = draws.next_below(size), v = draws.next_below(size);
            add(u, i % 4 ? v : size / 2);
        }
    return edges;
}

struct Named {
    std::string name;
    Graph graph;
};

// Without weights parallel edges would make some, so that the list is made unique first.
Graph plain(std::int64_t nodes, std::vector<graphs::Weighted> edges, std::vector<std::int64_t> first = {}) {
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    std::erase_if(edges, [&](const graphs::Weighted& edge) {
        return !seen.insert({std::min(edge.u, edge.v), std::max(edge.u, edge.v)}).second;
    });
    return graphs::build(nodes, edges, std::move(first));
}

constexpr Node kNodes = 600;

std::vector<Named> inputs() {
    std::vector<Named> made;
    made.push_back({"plain", plain(kNodes, tangle(kNodes, 4 * kNodes, false))});
    made.push_back({"weighted", graphs::build(kNodes, tangle(kNodes, 4 * kNodes, true))});
    // Graphs of all sizes, none among them.
    std::vector<graphs::Weighted> edges;
    std::vector<std::int64_t> first{0};
    for (const Node size : {40, 0, 1, 300, 2, 7}) {
        for (const graphs::Weighted& edge : tangle(size, size * 3, true, static_cast<Node>(first.back())))
            edges.push_back(edge);
        first.push_back(first.back() + size);
    }
    const std::int64_t nodes = first.back();
    made.push_back({"batch", graphs::build(nodes, edges, first)});
    // Weights far apart, where products underflow.
    edges = tangle(200, 600, true);
    for (std::size_t e = 0; e < edges.size(); ++e)
        edges[e].weight = std::ldexp(edges[e].weight, static_cast<int>(e % 7) * 140 - 500);
    made.push_back({"extreme", graphs::build(200, edges)});
    return made;
}

// Every third node, in an order of its own.
struct Given {
    explicit Given(const Graph& graph) {
        begin.push_back(0);
        for (std::int64_t g = 0; g < graph.graphs(); ++g) {
            for (Node u = graph.first[g + 1] - 1; u >= graph.first[g]; u -= 3) nodes.push_back(u);
            begin.push_back(static_cast<std::int64_t>(nodes.size()));
        }
    }
    std::vector<Node> nodes;
    std::vector<std::int64_t> begin;
};

std::vector<double> grounds(const Graph& graph) {
    Stream draws(77);
    std::vector<double> ground(graph.nodes);
    for (double& one : ground) one = draws.next_below(3) ? drawn(draws) : 0.0;
    return ground;
}

void eliminations(const Named& input) {
    const Graph& graph = input.graph;
    const Given given(graph);
    const std::vector<double> ground = grounds(graph);
    std::vector<std::int64_t> half, third;
    for (std::int64_t g = 0; g < graph.graphs(); ++g) {
        half.push_back((graph.first[g + 1] - graph.first[g]) / 2);
        third.push_back(given.begin[g + 1] - given.begin[g]);
    }
    const std::pair<std::string, Selection> orders[] = {
        {"random", {NodeOrder::random, nullptr, nullptr, half.data()}},
        {"degree", {NodeOrder::degree, nullptr, nullptr, half.data()}},
        {"given", {NodeOrder::given, given.nodes.data(), given.begin.data(), third.data()}},
    };
    const std::pair<std::string, NeighborOrder> neighbors[] = {{"asc", NeighborOrder::ascending},
                                                               {"desc", NeighborOrder::descending},
                                                               {"random", NeighborOrder::random},
                                                               {"coarsen", NeighborOrder::coarsen}};
    for (const auto& [order, selection] : orders)
        for (const auto& [neighbor, neighbor_order] : neighbors) {
            const std::string name = input.name + "/" + order + "/" + neighbor;
            for (const bool single : {false, true}) {
                const std::vector<Task> tasks{
                    {graph, selection, neighbor_order, 5, nullptr, {false, single, false}, {}, false},
                    {graph, selection, neighbor_order, 6, ground.data(), {true, single, true}, {}, false}};
                const std::string kind = single ? "/float" : "/double";
                const std::vector<View> one = eliminate_all(tasks, 1, 0), two = eliminate_all(tasks, 4, 0);
                record(name + kind, Hash().view(one[0]));
                record(name + kind + "/grounded", Hash().view(one[1]));
                if (!graphs::same(one[0], two[0]) || !graphs::same(one[1], two[1]))
                    record(name + kind + "/threads differ", Hash());
            }
            Task all{graph, selection, neighbor_order, 9, nullptr, {}, {}, true};
            if (graph.graphs() == 1) all.stops = {1, graph.nodes / 4};
            const Elimination done = eliminate(all, 0, graph.graphs());
            const Columns& columns = done.columns;
            Hash path;
            for (const View& view : done.snapshots) path.view(view);
            record(name + "/path", path);
            record(name + "/columns", Hash()
                                          .all(columns.node)
                                          .all(columns.total)
                                          .all(columns.begin)
                                          .all(columns.neighbor)
                                          .all(columns.weight));
            Buffer<double> x(graph.nodes + 1, 1.0);
            x[0] = 1 - static_cast<double>(graph.nodes);
            columns.solve(x.data(), static_cast<std::size_t>(graph.nodes));
            record(name + "/solve", Hash().all(x));
        }
}

void walks(const Named& input) {
    const Graph& graph = input.graph;
    const std::vector<double> ground = grounds(graph);
    Buffer<std::uint8_t> keep(graph.nodes);
    for (Node u = 0; u < graph.nodes; ++u) keep[u] = u % 3 != 1;
    for (std::int64_t g = 0; g < graph.graphs(); ++g)
        if (graph.first[g] < graph.first[g + 1]) keep[graph.first[g]] = 1;
    for (const bool single : {false, true})
        for (const double* leak : {static_cast<const double*>(nullptr), ground.data()})
            record(input.name + "/walks/" + (single ? "float" : "double") + (leak ? "/grounded" : ""),
                   Hash().view(walk_schur({graph, keep.data(), 3, leak, {false, single, leak != nullptr}, 1, 0})));
    std::vector<Node> start;
    for (Node w = 0; w < graph.nodes; w += 2) start.push_back(w);
    for (const bool uniform : {false, true}) {
        const RestartTask task{graph, start.data(), static_cast<std::int64_t>(start.size()), 20, 0.15, uniform, 8, 1};
        record(input.name + "/restart" + (uniform ? "/uniform" : ""),
               Hash().all(walk_restarting(task)).all(visit_restarting(task)));
    }
}

template <class Real>
void diffusions(const Named& input, const std::string& kind) {
    const Graph& graph = input.graph;
    const double tol = sizeof(Real) == 4 ? 1e-4 : 1e-9;
    for (const bool symmetric : {false, true})
        for (const bool loops : {false, true}) {
            if (sizeof(Real) == 8 && symmetric != loops) continue;  // most of the time goes here, all the more in qemu
            const Diffusion diffusion{symmetric, loops, 1e-3, tol, 1};
            const std::string name =
                input.name + "/" + kind + (symmetric ? "/symmetric" : "") + (loops ? "/loops" : "");
            record(name + "/ppr", Hash().rows(diffuse_ppr<Real>(graph, 0.2, diffusion)));
            record(name + "/markov", Hash().rows(diffuse_series<Real>(graph, {0.25, 0.25, 0.25, 0.25}, 0, diffusion)));
            // exp(-1) / k!, the heat diffusion's, as somebody else has computed them.
            record(name + "/heat",
                   Hash().rows(diffuse_series<Real>(graph,
                                                    {0x1.78b56362cef38p-2, 0x1.78b56362cef38p-2, 0x1.78b56362cef38p-3,
                                                     0x1.f6472f2e6944bp-5, 0x1.f6472f2e6944bp-7},
                                                    0, diffusion)));
        }
    const Buffer<double> scale(graph.nodes, 0.5), ground(graph.nodes, 0.75);
    record(
        input.name + "/" + kind + "/grounded",
        Hash().rows(diffuse_grounded<Real>({graph, ground.data(), scale.data(), 1e-6}, {false, false, 1e-3, tol, 1})));
}

void edges_that_stay(const Named& input) {
    const Graph& graph = input.graph;
    std::vector<std::int64_t> row, col, least;
    std::vector<std::int64_t> first(graph.first.begin(), graph.first.end());
    for (Node u = 0; u < graph.nodes; ++u)
        for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at) {
            row.push_back(u);
            col.push_back(graph.neighbor[at]);
            least.push_back(static_cast<std::int64_t>(mix(row.size()) >> 11));
        }
    const Buffer<std::uint64_t> start = stream_starts(12, graph.graphs());
    const Ends ends{static_cast<std::int64_t>(row.size()), row.data(), col.data()};
    for (const bool directed : {false, true})
        for (const std::int64_t* leasts : {static_cast<const std::int64_t*>(nullptr), std::as_const(least).data()}) {
            const EdgeSubset stays =
                drop_edges({ends, graph.graphs(), first.data(), start.data(), directed}, 1LL << 51, leasts, 1);
            record(input.name + "/drop" + (directed ? "/directed" : "") + (leasts ? "/each" : ""),
                   Hash().all(stays.place).all(stays.ends));
        }
    const EdgeSubset kept =
        induced_edges(ends, graph.nodes, std::vector<std::uint8_t>(graph.nodes, 1).data(), 0, nullptr, 1);
    record(input.name + "/keep", Hash().all(kept.place));
    std::vector<std::uint64_t> key(row.begin(), row.end());
    record(input.name + "/coins",
           Hash().all(keyed_uniforms(key.data(), static_cast<std::int64_t>(key.size()), nullptr, start.data(), 1)));
    record(input.name + "/fingerprint", Hash().add(fingerprint(row.data(), row.size() * sizeof(row[0]) - 3)));
    std::vector<std::int64_t> cluster(graph.nodes, -1), volume(graph.nodes, 0);
    std::vector<std::int32_t> degree(graph.nodes, 0);
    cluster_edges(
        {graph.nodes, ends.edges, ends.row, ends.col, cluster.data(), degree.data(), volume.data(), 90, true});
    record(input.name + "/cluster", Hash().all(cluster));
}

void centralities(const Named& input) {
    record(input.name + "/degree", Hash().all(degrees(input.graph)));
    record(input.name + "/pagerank", Hash().all(pagerank(input.graph, 0.85, 1e-9)));
    record(input.name + "/eigenvector", Hash().all(eigenvector_centrality(input.graph)));
}

void parts(const Named& input) {
    const Graph& graph = input.graph;
    std::vector<Node> source, target, order;
    std::vector<double> weight;
    std::vector<std::int64_t> id;
    for (Node u = 0; u < graph.nodes; ++u) {
        id.push_back(5 * u + (1LL << 40));
        if (u % 2) order.push_back(u);
        for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at) {
            source.push_back(u);
            target.push_back(graph.neighbor[at]);
            weight.push_back(graph.weight_at(at));
        }
    }
    const std::vector<std::uint8_t> filled(source.size(), 0);
    const PartEdges edges = merge_edges(
        {static_cast<std::int64_t>(source.size()), source.data(), target.data(), weight.data(), filled.data()},
        graph.nodes);
    record(input.name + "/part/merged", Hash().edges(edges));
    for (const NeighborOrder neighbors : {NeighborOrder::ascending, NeighborOrder::random})
        record(input.name + "/part/" + (neighbors == NeighborOrder::random ? "random" : "asc"),
               Hash().edges(eliminate_part(
                   {edges, graph.nodes, id.data(), order.data(), static_cast<Node>(order.size()), neighbors, 4})));
    // Every fifth node is an exit.
    for (Node& to : target) to = to % 5 ? to : ~to;
    std::vector<std::uint64_t> key;
    std::vector<std::int64_t> step;
    std::vector<Node> place;
    std::vector<double> length;
    for (Node u = 1; u < graph.nodes; u += 5) {
        key.push_back(mix(static_cast<std::uint64_t>(u)));
        step.push_back(0);
        place.push_back(u);
        length.push_back(0);
    }
    if (graph.graphs() > 1) return;  // whose small graphs have no exit
    walk_part({graph.start.data(), target.data(), weight.data(), static_cast<std::int64_t>(key.size()), key.data(),
               step.data(), place.data(), length.data()},
              graph.nodes);
    record(input.name + "/part/walks", Hash().all(step).all(place).all(length));
}

template <class Real>
void layers(const std::string& kind) {
    constexpr std::int64_t kRows = 150, kColumns = 37;
    Stream draws(2);
    std::vector<Real> x, out(kRows * kColumns), slope(kColumns, Real{0.25});
    for (std::int64_t i = 0; i < kRows * kColumns; ++i) x.push_back(static_cast<Real>(drawn(draws) - 0.75));
    for (const std::int64_t begin : {0, 5}) {
        drop_entries(x.data(), out.data(), kRows * kColumns, {17, begin, 1U << 30, 4.0 / 3}, 1);
        record("dropout/" + kind + "/" + std::to_string(begin), Hash().all(out));
    }
    std::vector<double> to_slope(kColumns);
    const std::vector<Real> gradient(x.rbegin(), x.rend());
    prelu_gradient(
        PreluTask<Real>{kRows, kColumns, x.data(), gradient.data(), slope.data(), true, out.data(), to_slope.data()},
        1);
    record("prelu/" + kind, Hash().all(out).all(to_slope));
}

int compare(const char* path) {
    std::ifstream file(path);
    std::map<std::string, std::uint64_t> expected;
    std::string name;
    for (std::uint64_t value; file >> name >> std::hex >> value;) expected[name] = value;
    int wrong = 0;
    for (const auto& [known, value] : hashes)
        if (!expected.contains(known) || expected[known] != value) {
            std::cerr << known << (expected.contains(known) ? " differs\n" : " is not expected\n");
            ++wrong;
        }
    for (const auto& [known, value] : expected)
        if (!hashes.contains(known)) {
            std::cerr << known << " is missing\n";
            ++wrong;
        }
    std::cout << hashes.size() << " results, " << wrong << " not as in " << path << "\n";
    return wrong != 0;
}

}  // namespace

int main(int count, char** arguments) {
    for (const Named& input : inputs()) {
        eliminations(input);
        edges_that_stay(input);
        if (input.name == "extreme") continue;  // a walk would hardly leave the heavy edges
        walks(input);
        diffusions<float>(input, "float");
        diffusions<double>(input, "double");
        centralities(input);
        parts(input);
    }
    layers<float>("float");
    layers<double>("double");
    if (count > 1) return compare(arguments[1]);
    for (const auto& [name, value] : hashes)
        std::printf("%s %016llx\n", name.c_str(), static_cast<unsigned long long>(value));
}
