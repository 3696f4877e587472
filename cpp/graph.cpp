#include "graph.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "random.hpp"
#include "team.hpp"

namespace rlap {
namespace {

constexpr int kStretchesEach = 4;  // of the list, for every thread: rows differ in what they cost
constexpr std::int64_t kMostNodes = std::numeric_limits<Node>::max() - 1;  // one label more is left for the ground

[[noreturn]] void refuse(const std::ostringstream& message) { throw std::invalid_argument(message.str()); }

template <class Value>
std::string show(Value value) {
    std::ostringstream text;
    text.precision(std::numeric_limits<Value>::max_digits10);
    text << value;
    return text.str();
}

// Directions whose weights differ by less are rounding, not asymmetry: D^-1/2 A D^-1/2 is rarely symmetric to the bit.
template <class Weight>
constexpr double kSymmetryTolerance = std::is_same_v<Weight, float> ? 1e-5 : 1e-9;

template <class Weight>
std::uint64_t bits_of(Weight weight) {
    if constexpr (sizeof(Weight) == 4)
        return std::bit_cast<std::uint32_t>(weight);
    else
        return std::bit_cast<std::uint64_t>(weight);
}

// Finds what the quick pass only knew to be there, and says it.
template <class Index, class Weight>
void refuse_bad_edges(const EdgeList<Index, Weight>& list) {
    double total = 0;
    for (std::int64_t e = 0; e < list.edges; ++e) {
        for (const Index node : {list.row[e], list.col[e]}) {
            if (node < 0 || static_cast<std::int64_t>(node) >= list.nodes)
                refuse(std::ostringstream() << "edge_index must lie in [0, num_nodes) = [0, " << list.nodes << ") (got "
                                            << node << " at edge " << e << ")");
        }
        if (list.weight) {
            const Weight weight = list.weight[e];
            if (!(weight > 0) || !std::isfinite(weight))
                refuse(std::ostringstream()
                       << "edge_weight must be positive and finite (got " << show(weight) << " at edge " << e << ")");
            total += weight;
        }
        const auto graph_of = [&](Index node) {
            return std::upper_bound(list.first, list.first + list.graphs + 1, static_cast<std::int64_t>(node));
        };
        if (list.graphs > 1 && graph_of(list.row[e]) != graph_of(list.col[e]))
            refuse(std::ostringstream() << "an edge must join nodes of one graph of the batch (got " << list.row[e]
                                        << " -> " << list.col[e] << " at edge " << e << ")");
    }
    if (!std::isfinite(total))
        refuse(std::ostringstream() << "edge_weight must have a finite sum (got " << show(total) << ")");
}

// The rows of a sorted list that one thread reads, and what it finds.
struct Stretch {
    std::int64_t begin, end;  // edges
    std::int64_t row_done;    // the last row before them, which has its beginning
    std::int64_t row_last;    // no row behind this one
    std::int64_t loops = 0;   // self-loops before this stretch, then up to its end
    std::uint64_t balance = 0;
    bool fine = true, ones = true;
    double total = 0;
};

// Reads a stretch of a list that is sorted and without duplicates; anything else is not fine.
template <bool Weighted, class Index, class Weight>
void read_stretch(const EdgeList<Index, Weight>& list, Graph& graph, Stretch& stretch) {
    Node* neighbor = graph.neighbor.data();
    double* weights = graph.weight.data();
    std::int64_t kept = stretch.begin - stretch.loops, row_done = stretch.row_done;
    std::int64_t next_graph = std::upper_bound(list.first, list.first + list.graphs, row_done) - list.first;
    std::uint64_t balance = 0;
    bool fine = true, ones = true;
    double total = 0;
    stretch.fine = false;
    for (std::int64_t e = stretch.begin; e < stretch.end;) {
        const auto row = static_cast<std::int64_t>(list.row[e]);
        if (row < row_done || row > stretch.row_last) return;
        while (row_done < row) graph.start[++row_done] = kept;
        while (row >= list.first[next_graph]) ++next_graph;
        const auto u = static_cast<std::uint64_t>(row);
        std::int64_t previous = list.first[next_graph - 1] - 1;
        for (; e < stretch.end && list.row[e] == static_cast<Index>(row); ++e) {
            const auto col = static_cast<std::int64_t>(list.col[e]);
            fine &= col > previous;
            previous = col;
            neighbor[kept] = static_cast<Node>(col);
            const auto v = static_cast<std::uint64_t>(col);
            const std::uint64_t swap = (u ^ v) & -static_cast<std::uint64_t>(v < u);
            std::uint64_t pair = (u ^ swap) << 32 | (v ^ swap);  // the smaller first, without a branch
            if constexpr (Weighted) {
                const Weight weight = list.weight[e];
                fine &= weight > 0;
                ones &= weight == 1;
                total += weight;
                weights[kept] = std::max<double>(weight, DBL_MIN);
                pair ^= bits_of(weight) * kGolden;
            }
            balance ^= mix(pair) & -static_cast<std::uint64_t>(u != v);
            kept += u != v;
        }
        if (!fine || previous >= list.first[next_graph]) return;
    }
    stretch.fine = true;
    stretch.row_done = row_done;
    stretch.loops = stretch.end - kept;
    stretch.balance = balance;
    stretch.ones = ones;
    stretch.total = total;
}

// Cuts the list between rows. Where it is not sorted, one stretch has all of it, for one thread to find out.
template <class Index, class Weight>
std::vector<Stretch> cut_list(const EdgeList<Index, Weight>& list, std::int64_t parts) {
    const auto row = [&](std::int64_t e) { return static_cast<std::int64_t>(list.row[e]); };
    std::vector<Stretch> cut{{0, list.edges, 0, list.nodes - 1}};
    for (std::int64_t part = 1; part < parts; ++part) {
        std::int64_t e = std::max(list.edges / parts * part, cut.back().begin + 1);
        while (e < list.edges && row(e) == row(e - 1)) ++e;
        if (e >= list.edges) break;
        if (row(e - 1) < cut.back().row_done || row(e) <= row(e - 1) || row(e) >= list.nodes)
            return {{0, list.edges, 0, list.nodes - 1}};
        cut.back().end = e;
        cut.back().row_last = row(e - 1);
        cut.push_back({e, list.edges, row(e - 1), list.nodes - 1});
    }
    return cut;
}

// Reads a list that is sorted, without duplicates, and symmetric: the usual case. Symmetry is checked by an exclusive
// or of 64-bit hashes, in which the two directions of an edge cancel; a list that is not symmetric passes with
// probability 2^-64. Returns false on anything unusual, and leaves the graph unspecified.
template <bool Weighted, class Index, class Weight>
bool read_canonical(const EdgeList<Index, Weight>& list, Graph& graph, Team* team) {
    std::vector<Stretch> cut = cut_list(list, team ? team->size() * kStretchesEach : 1);
    const std::vector<Stretch> again = cut;
    graph.start[0] = 0;
    const auto read = [&](int, std::int64_t part) { read_stretch<Weighted>(list, graph, cut[part]); };
    if (cut.size() == 1)
        read(0, 0);
    else
        team->each(static_cast<std::int64_t>(cut.size()), read);
    const auto fine = [](const Stretch& stretch) { return stretch.fine; };
    if (!std::all_of(cut.begin(), cut.end(), fine)) return false;
    const auto has_loops = [](const Stretch& stretch) { return stretch.loops > 0; };
    if (cut.size() > 1 && std::any_of(cut.begin(), cut.end(), has_loops)) {
        // Self-loops are dropped, so what comes behind them moves up.
        std::int64_t loops = 0;
        for (std::size_t i = 0; i < cut.size(); ++i) {
            loops += std::exchange(cut[i].loops, loops);
            cut[i].row_done = again[i].row_done;
        }
        team->each(static_cast<std::int64_t>(cut.size()), read);
    }
    Stretch all = cut.back();
    const std::int64_t kept = list.edges - all.loops;
    while (all.row_done < list.nodes) graph.start[++all.row_done] = kept;
    all.total = 0;
    for (const Stretch& stretch : cut) {
        all.total += stretch.total;
        all.balance ^= &stretch == &cut.back() ? 0 : stretch.balance;
        all.ones &= stretch.ones;
    }
    if (all.balance != 0 || !std::isfinite(all.total)) return false;
    graph.total = Weighted ? all.total : static_cast<double>(kept);
    graph.neighbor.resize(kept);
    graph.weight.resize(Weighted && !all.ones ? kept : 0);
    return true;
}

// A stable counting sort of edge numbers by one end of the edge.
template <class End>
Buffer<std::int64_t> sort_by(const Buffer<std::int64_t>& edges, std::int64_t nodes, const End& end) {
    Buffer<std::int64_t> begin(nodes + 1, 0);
    for (const std::int64_t e : edges) ++begin[end(e) + 1];
    for (std::int64_t u = 0; u < nodes; ++u) begin[u + 1] += begin[u];
    Buffer<std::int64_t> sorted(edges.size());
    for (const std::int64_t e : edges) sorted[begin[end(e)]++] = e;
    return sorted;
}

struct Pair {
    Node low, high;
    double weight;
};

// The two directions of one pair of nodes, summed apart while the list is read.
template <class Index>
struct Directions {
    double up = 0, down = 0;
    bool has_up = false, has_down = false;
    std::int64_t edge = 0;  // the first of them in the caller's list

    double settle(Index low, Index high, double tolerance, bool symmetrize) const {
        if (symmetrize) return has_up && has_down ? 0.5 * up + 0.5 * down : up + down;
        if (!has_up || !has_down)
            refuse(std::ostringstream() << "edge_index must hold both directions of every edge (got "
                                        << (has_up ? low : high) << " -> " << (has_up ? high : low) << " at edge "
                                        << edge << " without its reverse; symmetrize=True adds it)");
        if (std::abs(up - down) > tolerance * std::max(up, down))
            refuse(std::ostringstream() << "edge_weight must be the same in both directions (got " << show(up)
                                        << " for " << low << " -> " << high << " but " << show(down)
                                        << " for its reverse, first at edge " << edge
                                        << "; symmetrize=True takes the mean)");
        return up == down ? up : 0.5 * up + 0.5 * down;
    }
};

template <class Index, class Weight>
Buffer<Pair> read_pairs(const EdgeList<Index, Weight>& list, bool symmetrize) {
    Buffer<std::int64_t> edges;
    edges.reserve(list.edges);
    for (std::int64_t e = 0; e < list.edges; ++e)
        if (list.row[e] != list.col[e]) edges.push_back(e);
    const auto low = [&](std::int64_t e) { return std::min(list.row[e], list.col[e]); };
    const auto high = [&](std::int64_t e) { return std::max(list.row[e], list.col[e]); };
    edges = sort_by(edges, list.nodes, high);
    edges = sort_by(edges, list.nodes, low);

    Buffer<Pair> pairs;
    for (std::size_t i = 0; i < edges.size();) {
        const Index u = low(edges[i]), v = high(edges[i]);
        Directions<Index> both;
        both.edge = edges[i];
        for (; i < edges.size() && low(edges[i]) == u && high(edges[i]) == v; ++i) {
            const std::int64_t e = edges[i];
            const double weight = list.weight ? std::max<double>(list.weight[e], DBL_MIN) : 1.0;
            (list.row[e] == u ? both.up : both.down) += weight;
            (list.row[e] == u ? both.has_up : both.has_down) = true;
        }
        pairs.push_back(
            {static_cast<Node>(u), static_cast<Node>(v), both.settle(u, v, kSymmetryTolerance<Weight>, symmetrize)});
    }
    return pairs;
}

void fill_from_pairs(Graph& graph, const Buffer<Pair>& pairs) {
    std::fill(graph.start.begin(), graph.start.end(), 0);
    for (const Pair& pair : pairs) ++graph.start[pair.low + 1], ++graph.start[pair.high + 1];
    for (Node u = 0; u < graph.nodes; ++u) graph.start[u + 1] += graph.start[u];
    const bool ones = std::all_of(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.weight == 1; });
    graph.neighbor.resize(2 * pairs.size());
    graph.weight.resize(ones ? 0 : 2 * pairs.size());
    Buffer<std::int64_t> at(graph.nodes);
    std::copy_n(graph.start.begin(), graph.nodes, at.begin());
    // Pairs come by (low, high), so every row gets its lower neighbours first, and both parts in order.
    for (const Pair& pair : pairs) {
        const std::int64_t up = at[pair.low]++, down = at[pair.high]++;
        graph.neighbor[up] = pair.high;
        graph.neighbor[down] = pair.low;
        if (!ones) graph.weight[up] = graph.weight[down] = pair.weight;
        graph.total += 2 * pair.weight;
    }
}

}  // namespace

template <class Index, class Weight>
Graph build_graph(const EdgeList<Index, Weight>& list, bool symmetrize, Team* team) {
    if (list.nodes < 0 || list.nodes > kMostNodes)
        refuse(std::ostringstream() << "num_nodes must lie in [0, " << kMostNodes << "] (got " << list.nodes << ")");
    Graph graph;
    graph.nodes = static_cast<Node>(list.nodes);
    graph.start.resize(list.nodes + 1);
    graph.first.resize(list.graphs + 1);
    std::copy_n(list.first, list.graphs + 1, graph.first.begin());
    graph.neighbor.resize(list.edges);
    if (list.weight) graph.weight.resize(list.edges);
    for (const bool flip : {false, true}) {  // sorted by row, or by column: a symmetric list may be read either way
        EdgeList<Index, Weight> seen = list;
        if (flip) std::swap(seen.row, seen.col);
        if (list.weight ? read_canonical<true>(seen, graph, team) : read_canonical<false>(seen, graph, team))
            return graph;
    }
    refuse_bad_edges(list);
    fill_from_pairs(graph, read_pairs(list, symmetrize));
    return graph;
}

template Graph build_graph(const EdgeList<std::int32_t, float>&, bool, Team*);
template Graph build_graph(const EdgeList<std::int32_t, double>&, bool, Team*);
template Graph build_graph(const EdgeList<std::int64_t, float>&, bool, Team*);
template Graph build_graph(const EdgeList<std::int64_t, double>&, bool, Team*);

}  // namespace rlap
