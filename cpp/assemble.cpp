#include "assemble.hpp"

#include <algorithm>
#include <limits>

#include "rank.hpp"

namespace rlap {
namespace {

constexpr Node kBehind = std::numeric_limits<Node>::max();

// Merges the old edges of a row, which are sorted, with the new ones, which are not.
class RowMerge {
  public:
    // Room for so many old edges, which the caller writes.
    void reserve(std::size_t old_edges) {
        old_high_.reserve_grown(old_edges + 1);
        old_weight_.reserve_grown(old_edges + 1);
    }
    Node* old_high() { return old_high_.data(); }
    double* old_weight() { return old_weight_.data(); }

    // Writes the merged row, parallel edges summed, and returns its length. One value more may be written.
    Node write(Node old_size, std::span<const Arrival> added, Node* high, double* weight) {
        if (added.empty()) {
            std::copy_n(old_high_.data(), old_size, high);
            std::copy_n(old_weight_.data(), old_size, weight);
            return old_size;
        }
        const Node added_size = sort(added);
        old_high_.data()[old_size] = kBehind;
        const Node *x = old_high_.data(), *y = new_high_.data();
        const double *x_weight = old_weight_.data(), *y_weight = new_weight_.data();
        // Which list is next, and whether its edge is there already, is anybody's guess: no branch on either.
        Node last = -1, previous = -1;
        std::ptrdiff_t i = 0, j = 0;
        weight[0] = 0.0;
        for (Node left = old_size + added_size; left > 0; --left) {
            const bool old = x[i] <= y[j];
            const Node next = old ? x[i] : y[j];
            const double* value = old ? x_weight + i : y_weight + j;
            i += old;
            j += !old;
            last += next != previous;
            previous = high[last] = next;
            weight[last] += *value;
            weight[last + 1] = 0.0;
        }
        return last + 1;
    }

  private:
    Node sort(std::span<const Arrival> added) {
        const auto size = static_cast<Node>(added.size());
        double* key = ranking_.keys(size);
        for (Node i = 0; i < size; ++i) key[i] = 256.0 * added[i].high + (i & 255);
        const std::int64_t* place = ranking_.places(size);
        new_high_.reserve_grown(size + 1);
        new_weight_.reserve_grown(size);
        for (Node i = 0; i < size; ++i) {
            new_high_.data()[place[i]] = added[i].high;
            new_weight_.data()[place[i]] = added[i].weight;
        }
        new_high_.data()[size] = kBehind;
        return size;
    }

    Buffer<Node> old_high_, new_high_;
    Buffer<double> old_weight_, new_weight_;
    Ranking ranking_;
};

template <class Weight>
void write(const UpperHalf& half, const Kept& kept, const Output& output, View& view, Weight* weight) {
    const Node rows = kept.rows();
    std::int64_t* from = view.edge_index.data();
    std::int64_t* to = from + view.edges;
    // A positive weight stays positive when it is narrowed.
    const auto narrow = [](double value) {
        const auto narrowed = static_cast<Weight>(value);
        return narrowed > 0 ? narrowed : std::numeric_limits<Weight>::denorm_min();
    };
    const auto name = [&](Node row) -> std::int64_t { return output.relabel ? row : kept.node[row]; };
    const auto upper = [&](Node r) {  // without the ground, which comes last and is not a node of the view
        const std::int64_t size = half.begin[r + 1] - half.begin[r];
        return size - (size > 0 && half.high[half.begin[r + 1] - 1] == rows);
    };
    Buffer<std::int64_t> mirror(rows);
    std::int64_t at = 0;
    for (Node r = 0; r < rows; ++r) {
        mirror[r] = at;
        at += half.below[r] + upper(r);
    }
    at = 0;
    for (Node r = 0; r < rows; ++r) {
        const std::int64_t size = upper(r), self = name(r);
        std::fill_n(from + at, half.below[r] + size, self);
        at += half.below[r];
        const Node* high = half.high.data() + half.begin[r];
        const double* values = half.weight.data() + half.begin[r];
        for (std::int64_t i = 0; i < size; ++i, ++at) {
            const Weight value = narrow(values[i]);
            const std::int64_t across = mirror[high[i]]++;
            to[at] = name(high[i]);
            weight[at] = value;
            to[across] = self;
            weight[across] = value;
        }
    }
}

}  // namespace

UpperHalf assemble(const Graph& graph, const Kept& kept, Node rows, RowLog& log) {
    UpperHalf half;
    half.begin.resize(rows + 1);
    half.below = Buffer<Node>(rows, 0);
    RowMerge merge;
    SortedBucket added(std::int64_t{1} << log.shift);
    std::int64_t at = 0;
    for (Node low = 0; low < rows; ++low) {
        if ((low >> log.shift) << log.shift == low) added.take(log.log, log.spare + (low >> log.shift), low);
        half.begin[low] = at;
        const std::span<const Arrival> arrived = added.of(low);
        Node old_size = 0;
        merge.reserve(0);
        if (low < kept.rows()) {
            const Node u = kept.node[low];
            const std::int64_t end = graph.start[u + 1];
            std::int64_t old = graph.start[u];
            while (old < end && graph.neighbor[old] < u) ++old;
            merge.reserve(end - old);
            Node* old_high = merge.old_high();
            double* old_weight = merge.old_weight();
            for (; old < end; ++old) {
                const Node high = kept.row_of[graph.neighbor[old]];
                old_high[old_size] = high;
                old_weight[old_size] = graph.weight_at(old);
                old_size += high >= 0;
            }
        }
        half.high.reserve_grown(at + old_size + arrived.size() + 1);
        half.weight.reserve_grown(at + old_size + arrived.size() + 1);
        Node* high = half.high.data() + at;
        const Node size = merge.write(old_size, arrived, high, half.weight.data() + at);
        for (Node i = 0; i < size; ++i) ++half.below[high[i]];
        at += size;
    }
    half.begin[rows] = at;
    return half;
}

View finish(UpperHalf half, const Kept& kept, const Output& output) {
    View view;
    const auto nodes = kept.row_of.size();
    const Node rows = kept.rows();
    for (Node r = 0; r < rows; ++r) view.edges += 2 * half.below[r];
    view.node_mask = Buffer<std::uint8_t>(nodes, 0);
    for (const Node u : kept.node) view.node_mask[u] = 1;

    if (output.ground) {
        view.ground = Buffer<double>(output.relabel ? rows : nodes, 0.0);
        for (Node r = 0; r < rows; ++r) {
            const std::int64_t last = half.begin[r + 1] - 1;
            if (last >= half.begin[r] && half.high[last] == rows)
                view.ground[output.relabel ? r : kept.node[r]] = half.weight[last];
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
