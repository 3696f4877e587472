#include "assemble.hpp"

#include <algorithm>
#include <limits>

namespace rlap {
namespace {

// The old edges from each kept node to later kept nodes, by row.
struct OldEdges {
    Buffer<std::int64_t> begin;
    Buffer<Node> high;
    Buffer<double> weight;  // empty when every weight is 1
};

// Also counts, in high_count[1 + row], how many end at each row; slot 0 takes the nodes that are gone.
OldEdges old_edges(const Graph& graph, const Kept& kept, Node rows, Buffer<std::int64_t>& high_count) {
    OldEdges old;
    old.begin.resize(rows + 1);
    std::size_t size = 0;
    for (Node r = 0; r < kept.rows(); ++r) {
        old.begin[r] = static_cast<std::int64_t>(size);
        const Node u = kept.node[r];
        std::int64_t at = graph.start[u];
        const std::int64_t end = graph.start[u + 1];
        while (at < end && graph.neighbor[at] < u) ++at;
        old.high.resize(size);
        old.high.reserve_more(end - at);
        if (!graph.weight.empty()) {
            old.weight.resize(size);
            old.weight.reserve_more(end - at);
        }
        for (; at < end; ++at) {
            const Node high = kept.row_of[graph.neighbor[at]];
            old.high.data()[size] = high;
            if (!graph.weight.empty()) old.weight.data()[size] = graph.weight[at];
            ++high_count[high + 1];
            size += high >= 0;
        }
    }
    for (Node r = kept.rows(); r <= rows; ++r) old.begin[r] = static_cast<std::int64_t>(size);
    return old;
}

struct Half {
    double weight;
    Node high;
};

Buffer<Half> bucket_by_low(const Buffer<Edge>& log, Buffer<std::int64_t>& begin) {
    Buffer<Half> sorted(log.size());
    for (const Edge& edge : log) sorted[begin[edge.low]++] = {edge.weight, edge.high};
    return sorted;
}

template <class Weight>
void write(const LowerHalf& half, const Kept& kept, const Output& output, View& view, Weight* weight) {
    const Node rows = kept.rows();
    std::int64_t* from = view.edge_index.data();
    std::int64_t* to = from + view.edges;
    // A positive weight stays positive when it is narrowed.
    const auto narrow = [](double value) {
        const auto narrowed = static_cast<Weight>(value);
        return narrowed > 0 ? narrowed : std::numeric_limits<Weight>::denorm_min();
    };
    Buffer<std::int64_t> mirror(rows);
    std::int64_t at = 0;
    for (Node r = 0; r < rows; ++r) {
        const LowerHalf::Row& row = half.row[r];
        const std::int64_t self = output.relabel ? r : kept.node[r];
        std::fill_n(from + at, row.lower + row.upper, self);
        const LowerHalf::Entry* entry = half.entry.data() + row.begin;
        for (Node i = 0; i < row.lower; ++i, ++at) {
            const Node low = entry[i].node;
            const Weight value = narrow(entry[i].weight);
            to[at] = output.relabel ? low : kept.node[low];
            weight[at] = value;
            const std::int64_t across = mirror[low]++;
            to[across] = self;
            weight[across] = value;
        }
        mirror[r] = at;
        at += row.upper;
    }
}

}  // namespace

LowerHalf assemble(const Graph& graph, const Kept& kept, Node rows, Buffer<Edge>& log) {
    Buffer<std::int64_t> high_count(rows + 1, 0);
    const OldEdges old = old_edges(graph, kept, rows, high_count);
    Buffer<std::int64_t> low_begin(rows + 1, 0);
    for (const Edge& edge : log) {
        ++low_begin[edge.low + 1];
        ++high_count[edge.high + 1];
    }
    for (Node r = 0; r < rows; ++r) low_begin[r + 1] += low_begin[r];
    const Buffer<Half> added = bucket_by_low(log, low_begin);  // low_begin[r] is now where row r ends
    log.free();

    LowerHalf half;
    half.row.resize(rows);
    std::int64_t begin = 0;
    for (Node r = 0; r < rows; ++r) {
        half.row[r] = {begin, 0, 0};
        begin += high_count[r + 1];
    }
    half.entry.resize(begin);

    // Low ends come in rising order, so each row's list is sorted as it grows and duplicates stand side by side.
    for (Node low = 0; low < rows; ++low) {
        Node upper = 0;
        for (std::int64_t i = old.begin[low]; i < old.begin[low + 1]; ++i) {
            LowerHalf::Row& row = half.row[old.high[i]];
            half.entry[row.begin + row.lower++] = {old.weight.empty() ? 1.0 : old.weight[i], low};
            ++upper;
        }
        for (std::int64_t i = low ? low_begin[low - 1] : 0; i < low_begin[low]; ++i) {
            LowerHalf::Row& row = half.row[added[i].high];
            LowerHalf::Entry* last = half.entry.data() + row.begin + row.lower - 1;
            if (row.lower > 0 && last->node == low) {
                last->weight += added[i].weight;
            } else {
                last[1] = {added[i].weight, low};
                ++row.lower;
                ++upper;
            }
        }
        half.row[low].upper = upper;
    }
    return half;
}

View finish(LowerHalf half, const Kept& kept, const Output& output) {
    View view;
    const auto nodes = kept.row_of.size();
    const Node rows = kept.rows();
    for (Node r = 0; r < rows; ++r) view.edges += 2 * half.row[r].lower;
    view.node_mask = Buffer<std::uint8_t>(nodes, 0);
    for (const Node u : kept.node) view.node_mask[u] = 1;

    if (output.ground) {
        view.ground = Buffer<double>(output.relabel ? rows : nodes, 0.0);
        const LowerHalf::Row& ground = half.row[rows];
        for (std::int64_t i = ground.begin; i < ground.begin + ground.lower; ++i) {
            const LowerHalf::Entry& entry = half.entry[i];
            view.ground[output.relabel ? entry.node : kept.node[entry.node]] = entry.weight;
            --half.row[entry.node].upper;  // the ground is not a node of the view
        }
    }
    view.edge_index.resize(2 * view.edges);
    if (output.single) {
        view.weight_single.resize(view.edges);
        write(half, kept, output, view, view.weight_single.data());
    } else {
        view.weight.resize(view.edges);
        write(half, kept, output, view, view.weight.data());
    }
    return view;
}

}  // namespace rlap
