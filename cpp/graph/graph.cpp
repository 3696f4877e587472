#include "graph/graph.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/interrupt.hpp"
#include "base/thread_pool.hpp"
#include "graph/edge_log.hpp"

namespace rlap {
namespace {

constexpr std::int64_t kFits = 1 << 21;                                    // neighbours, in the caches
constexpr std::int64_t kCopiedAtOnce = 1 << 20;                            // edges
constexpr std::int64_t kMostNodes = std::numeric_limits<Node>::max() - 1;  // one label more is left for the ground

[[noreturn]] void refuse(const std::ostringstream& message) { throw std::invalid_argument(message.str()); }

template <class Value>
std::string show(Value value) {
    std::ostringstream text;
    text.precision(std::numeric_limits<Value>::max_digits10);
    text << value;
    return text.str();
}

void refuse_infinite(double total) {
    if (!std::isfinite(total))
        refuse(std::ostringstream() << "edge_weight must have a finite sum (got " << show(total) << ")");
}

// Directions whose weights differ by less are rounding, not asymmetry: D^-1/2 A D^-1/2 is rarely symmetric to the bit.
template <class Weight>
constexpr double kSymmetryTolerance = std::is_same_v<Weight, float> ? 1e-5 : 1e-9;

// The caller's list in memory of our own, every entry checked on the way.
struct OwnList {
    Buffer<Node> row, col;
    Buffer<double> weight;  // empty: every weight is 1

    std::int64_t edges() const { return static_cast<std::int64_t>(row.size()); }
};

template <class Index, class Weight>
OwnList copy_checked(const EdgeList<Index, Weight>& list, const Buffer<Node>& first) {
    OwnList own{Buffer<Node>(list.edges), Buffer<Node>(list.edges), Buffer<double>(list.weight ? list.edges : 0)};
    double total = 0;
    Poll poll;
    for (std::int64_t e = 0; e < list.edges; ++e) {
        poll();
        const Index ends[2] = {read_once(list.row + e), read_once(list.col + e)};
        for (const Index node : ends) {
            if (node < 0 || static_cast<std::int64_t>(node) >= list.nodes)
                refuse(std::ostringstream() << "edge_index must lie in [0, num_nodes) = [0, " << list.nodes << ") (got "
                                            << node << " at edge " << e << ")");
        }
        own.row[e] = static_cast<Node>(ends[0]);
        own.col[e] = static_cast<Node>(ends[1]);
        if (list.weight) {
            const Weight weight = read_once(list.weight + e);
            if (!(weight > 0) || !std::isfinite(weight))
                refuse(std::ostringstream()
                       << "edge_weight must be positive and finite (got " << show(weight) << " at edge " << e << ")");
            total += weight;
            own.weight[e] = positive(weight);
        }
        const auto graph_of = [&](Node node) { return std::upper_bound(first.begin(), first.end(), node); };
        if (first.size() > 2 && graph_of(own.row[e]) != graph_of(own.col[e]))
            refuse(std::ostringstream() << "an edge must join nodes of one graph of the batch (got " << own.row[e]
                                        << " -> " << own.col[e] << " at edge " << e << ")");
    }
    refuse_infinite(total);
    return own;
}

// The edges that one thread copies, and what it finds.
struct Stretch {
    std::int64_t begin, end;
    bool fine = true, ones = true;
    double total = 0;
};

// Copies columns and weights, and notes where rows end: start[r + 1] is set behind every edge of row r. Whatever the
// caller's arrays hold, all that is written lies within the graph's own.
template <bool Weighted, class Index, class Weight>
void copy_stretch(const EdgeList<Index, Weight>& list, Graph& graph, Stretch& stretch) {
    Node* const neighbor = graph.neighbor.data();
    std::int64_t* const behind = graph.start.data() + 1;
    const auto nodes = static_cast<std::uint64_t>(list.nodes);
    std::int64_t previous = stretch.begin > 0 ? read_once(list.row + stretch.begin - 1) : 0;
    bool fine = true, ones = true;
    double total = 0;
    for (std::int64_t begin = stretch.begin; begin < stretch.end && fine; begin += kCopiedAtOnce) {
        stop_if_told();
        const std::int64_t end = std::min(stretch.end, begin + kCopiedAtOnce);
        std::uint64_t wide = 0;
        for (std::int64_t e = begin; e < end; ++e) {
            const auto col = static_cast<std::int64_t>(list.col[e]);
            wide |= static_cast<std::uint64_t>(col) >> 31;
            neighbor[e] = static_cast<Node>(col);
        }
        fine = wide == 0;
        for (std::int64_t e = begin; e < end && fine; ++e) {
            const auto row = static_cast<std::int64_t>(read_once(list.row + e));
            fine = static_cast<std::uint64_t>(row) < nodes && row >= previous;
            // Of a list whose rows fall, which is not used, stretches may share a row.
            if (fine) std::atomic_ref(behind[row]).store(e + 1, std::memory_order_relaxed);
            previous = row;
        }
        if constexpr (Weighted) {
            double* const weights = graph.weight.data();
            for (std::int64_t e = begin; e < end; ++e) {
                const Weight weight = list.weight[e];
                fine &= weight > 0;
                ones &= weight == 1;
                total += weight;
                weights[e] = positive(weight);
            }
        }
    }
    stretch.fine = fine;
    stretch.ones = ones;
    stretch.total = total;
}

enum class Found { canonical, loops, other };

// Whether the rows begin .. end - 1 are sorted, without duplicates, within their graphs, and mirrored by the rows
// before them, bit for bit. Rows are walked in their order: an entry u < v of row v has its reverse where row u was
// left off, at cursor[u], and nothing may be left of a row in the end. Neighbours must end with a -1, where a cursor
// that runs off stops.
template <bool Weighted>
Found check_rows(Graph& graph, Node begin, Node end, Buffer<std::int64_t>& cursor) {
    const std::int64_t* const start = graph.start.data();
    const Node* const neighbor = graph.neighbor.data();
    const double* const weight = graph.weight.data();
    std::int64_t* const next = cursor.data();
    const auto reach = [&](Node u, Node row) {
        return std::lower_bound(neighbor + start[u], neighbor + start[u + 1], row) - neighbor;
    };
    const auto meet = [&](Node u, Node v, double value, bool& fine) {
        const std::int64_t there = next[u]++;
        fine &= neighbor[there] == v;
        if constexpr (Weighted) fine &= weight[there] == value;
    };
    // What does not fit in the caches is looked up block by block.
    const bool far = start[graph.nodes] > kFits;
    const Bucketing blocks(graph.nodes);
    EdgeLog log(far ? blocks.buckets : 0);
    for (Node u = 0; u < begin; ++u) next[u] = reach(u, begin);
    auto graph_end = std::upper_bound(graph.first.begin(), graph.first.end(), begin);
    Poll poll;
    for (Node v = begin; v < end; ++v) {
        while (v >= *graph_end) ++graph_end;
        poll(start[v + 1] - start[v]);
        std::int64_t e = start[v];
        const std::int64_t row_end = start[v + 1];
        Node previous = graph_end[-1] - 1;
        bool fine = true;
        for (; e < row_end && neighbor[e] < v; ++e) {
            const Node u = neighbor[e];
            if (u <= previous) return Found::other;
            previous = u;
            if (far)
                log.push(u >> blocks.shift, {u, v, Weighted ? weight[e] : 1.0});
            else
                meet(u, v, Weighted ? weight[e] : 1.0, fine);
        }
        if (!fine) return Found::other;
        if (e < row_end && neighbor[e] == v) return Found::loops;
        next[v] = graph.upper[v] = e;
        for (std::int64_t i = e + 1; i < row_end; ++i) fine &= neighbor[i] > neighbor[i - 1];
        if (!fine || (e < row_end && neighbor[row_end - 1] >= *graph_end)) return Found::other;
    }
    for (std::size_t block = 0; block < log.buckets(); ++block) {
        bool fine = true;
        stop_if_told();
        log.each(block, [&](const Edge& edge) {
            if (fine) meet(edge.low, edge.high, edge.weight, fine);
        });
        if (!fine) return Found::other;
        log.clear(block, log);
    }
    const bool last = end == graph.nodes;
    for (Node u = 0; u < end; ++u)
        if (next[u] != (last ? start[u + 1] : reach(u, end))) return Found::other;
    return Found::canonical;
}

template <bool Weighted>
Found check_rows(Graph& graph, ThreadPool* pool) {
    graph.neighbor[graph.start[graph.nodes]] = -1;
    std::vector<Node> cut{0};
    // Later rows have more entries below them to look up: in a random graph, as many as their number says.
    for (int t = 1; pool && t < pool->size(); ++t) {
        const double share = std::sqrt(static_cast<double>(t) / pool->size());
        const auto edges = static_cast<std::int64_t>(share * static_cast<double>(graph.start[graph.nodes]));
        const auto row = std::upper_bound(graph.start.begin(), graph.start.end() - 1, edges) - graph.start.begin() - 1;
        cut.push_back(std::max(cut.back(), static_cast<Node>(row)));
    }
    cut.push_back(graph.nodes);
    const std::size_t parts = cut.size() - 1;
    std::vector<Found> found(parts, Found::canonical);
    const auto check = [&](int, std::int64_t part) {
        Buffer<std::int64_t> cursor(cut[part + 1]);
        if (cut[part] < cut[part + 1]) found[part] = check_rows<Weighted>(graph, cut[part], cut[part + 1], cursor);
    };
    if (parts == 1)
        check(0, 0);
    else
        pool->each(static_cast<std::int64_t>(parts), check);
    return *std::max_element(found.begin(), found.end());
}

// Self-loops are dropped, so what comes behind them moves up.
void drop_loops(Graph& graph) {
    std::int64_t kept = 0, e = 0;
    for (Node u = 0; u < graph.nodes; ++u) {
        const std::int64_t end = graph.start[u + 1];
        for (; e < end; ++e) {
            if (graph.neighbor[e] == u) continue;
            graph.neighbor[kept] = graph.neighbor[e];
            if (!graph.weight.empty()) graph.weight[kept] = graph.weight[e];
            ++kept;
        }
        graph.start[u + 1] = kept;
    }
}

// Reads a list that is sorted, without duplicates, and symmetric: the usual case. The caller's arrays are only copied;
// all checks are of the copy. Returns false on anything unusual, and leaves the graph unspecified.
template <bool Weighted, class Index, class Weight>
bool read_canonical(const EdgeList<Index, Weight>& list, Graph& graph, ThreadPool* pool) {
    graph.start = Buffer<std::int64_t>(list.nodes + 1, 0);
    graph.neighbor.resize(list.edges + 1);
    if (Weighted) graph.weight.resize(list.edges + 1);
    std::vector<Stretch> cut{{0, list.edges}};
    for (std::int64_t part = 1, parts = pool ? pool->size() : 1; part < parts; ++part) {  // between rows
        std::int64_t e = std::max(list.edges / parts * part, cut.back().begin + 1);
        while (e < list.edges && read_once(list.row + e) == read_once(list.row + e - 1)) ++e;
        if (e >= list.edges) break;
        cut.back().end = e;
        cut.push_back({e, list.edges});
    }
    const auto copy = [&](int, std::int64_t part) { copy_stretch<Weighted>(list, graph, cut[part]); };
    if (cut.size() == 1)
        copy(0, 0);
    else
        pool->each(static_cast<std::int64_t>(cut.size()), copy);
    bool ones = true;
    double total = 0;
    for (const Stretch& stretch : cut) {
        if (!stretch.fine) return false;
        ones &= stretch.ones;
        total += stretch.total;
    }
    if (!std::isfinite(total)) return false;
    for (std::int64_t u = 0; u < list.nodes; ++u) graph.start[u + 1] = std::max(graph.start[u + 1], graph.start[u]);
    if (graph.start[list.nodes] != list.edges) return false;
    if (Weighted && ones) graph.weight.resize(0);
    const auto check = [&] {
        return graph.weight.empty() ? check_rows<false>(graph, pool) : check_rows<true>(graph, pool);
    };
    Found found = check();
    if (found == Found::loops) {
        drop_loops(graph);
        found = check();
    }
    if (found != Found::canonical) return false;
    const std::int64_t kept = graph.start[list.nodes];
    graph.total = Weighted ? total : static_cast<double>(kept);
    graph.neighbor.resize(kept);
    graph.weight.resize(graph.weight.empty() ? 0 : kept);
    return true;
}

struct Pair {
    Node low, high;
    double weight;
};

// The two directions of one pair of nodes, summed apart while the list is read.
struct Directions {
    double up = 0, down = 0;
    bool has_up = false, has_down = false;
    std::int64_t edge = 0;  // the first of them in the caller's list

    double settle(Node low, Node high, double tolerance, bool symmetrize) const {
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

Buffer<Pair> read_pairs(const OwnList& list, Node nodes, double tolerance, bool symmetrize) {
    Buffer<std::int64_t> edges;
    edges.reserve(list.edges());
    for (std::int64_t e = 0; e < list.edges(); ++e)
        if (list.row[e] != list.col[e]) edges.push_back(e);
    const auto low = [&](std::int64_t e) { return std::min(list.row[e], list.col[e]); };
    const auto high = [&](std::int64_t e) { return std::max(list.row[e], list.col[e]); };
    edges = sort_by(edges, nodes, high);
    edges = sort_by(edges, nodes, low);

    Buffer<Pair> pairs;
    Poll poll;
    for (std::size_t i = 0; i < edges.size();) {
        poll();
        const Node u = low(edges[i]), v = high(edges[i]);
        Directions both;
        both.edge = edges[i];
        for (; i < edges.size() && low(edges[i]) == u && high(edges[i]) == v; ++i) {
            const std::int64_t e = edges[i];
            const double weight = list.weight.empty() ? 1.0 : list.weight[e];
            (list.row[e] == u ? both.up : both.down) += weight;
            (list.row[e] == u ? both.has_up : both.has_down) = true;
        }
        pairs.push_back({u, v, both.settle(u, v, tolerance, symmetrize)});
    }
    return pairs;
}

void fill_from_pairs(Graph& graph, const Buffer<Pair>& pairs) {
    graph.start = Buffer<std::int64_t>(static_cast<std::size_t>(graph.nodes) + 1, 0);
    for (const Pair& pair : pairs) ++graph.start[pair.low + 1], ++graph.start[pair.high + 1];
    for (Node u = 0; u < graph.nodes; ++u) graph.start[u + 1] += graph.start[u];
    const bool ones = std::all_of(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.weight == 1; });
    graph.neighbor.resize(2 * pairs.size());
    graph.weight.resize(ones ? 0 : 2 * pairs.size());
    Buffer<std::int64_t> at(graph.nodes);
    std::copy_n(graph.start.begin(), graph.nodes, at.begin());
    std::copy_n(graph.start.begin(), graph.nodes, graph.upper.begin());
    // Pairs come by (low, high), so every row gets its lower neighbours first, and both parts in order.
    Poll poll;
    for (const Pair& pair : pairs) {
        poll();
        const std::int64_t up = at[pair.low]++, down = at[pair.high]++;
        graph.neighbor[up] = pair.high;
        graph.neighbor[down] = pair.low;
        graph.upper[pair.high] = down + 1;
        if (!ones) graph.weight[up] = graph.weight[down] = pair.weight;
        graph.total += 2 * pair.weight;
    }
}

}  // namespace

template <class Index, class Weight>
Graph build_graph(const EdgeList<Index, Weight>& list, bool symmetrize, ThreadPool* pool) {
    if (list.nodes < 0 || list.nodes > kMostNodes)
        refuse(std::ostringstream() << "num_nodes must lie in [0, " << kMostNodes << "] (got " << list.nodes << ")");
    Graph graph;
    graph.nodes = static_cast<Node>(list.nodes);
    graph.first.resize(list.graphs + 1);
    for (std::int64_t g = 0, previous = 0; g <= list.graphs; ++g) {
        const std::int64_t first = read_once(list.first + g);
        if (first < previous || first > list.nodes || (g == 0 && first != 0) ||
            (g == list.graphs && first != list.nodes))
            refuse(std::ostringstream() << "ptr must rise from 0 to num_nodes = " << list.nodes << " (got " << first
                                        << " at " << g << ")");
        graph.first[g] = static_cast<Node>(previous = first);
    }
    graph.upper.resize(list.nodes);
    for (const bool flip : {false, true}) {  // sorted by row, or by column: a symmetric list may be read either way
        EdgeList<Index, Weight> seen = list;
        if (flip) std::swap(seen.row, seen.col);
        if (list.weight ? read_canonical<true>(seen, graph, pool) : read_canonical<false>(seen, graph, pool))
            return graph;
    }
    graph.neighbor.free();
    graph.weight.free();
    const OwnList own = copy_checked(list, graph.first);
    fill_from_pairs(graph, read_pairs(own, graph.nodes, kSymmetryTolerance<Weight>, symmetrize));
    refuse_infinite(graph.total);  // `symmetrize` may have doubled it
    return graph;
}

template Graph build_graph(const EdgeList<std::int32_t, float>&, bool, ThreadPool*);
template Graph build_graph(const EdgeList<std::int32_t, double>&, bool, ThreadPool*);
template Graph build_graph(const EdgeList<std::int64_t, float>&, bool, ThreadPool*);
template Graph build_graph(const EdgeList<std::int64_t, double>&, bool, ThreadPool*);

}  // namespace rlap
