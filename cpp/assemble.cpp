#include "assemble.hpp"

#include <algorithm>
#include <limits>

#include "rank.hpp"

namespace rlap {
namespace {

constexpr Node kBehind = std::numeric_limits<Node>::max();

// Writes one row, its ends in rising order, parallel edges summed. Whether an edge is there already is anybody's guess,
// so the code takes no branch on it.
struct RowWriter {
    Node* high;
    double* weight;
    Node last = -1, previous = -1;
    double sum = 0;

    void put(Node next, double value) {
        const bool again = next == previous;
        last += !again;
        sum = value + (again ? sum : 0.0);
        high[last] = previous = next;
        weight[last] = sum;
    }
    Node size() const { return last + 1; }
};

// Merges the old edges of a row, which are sorted, with the new ones, which are not.
class RowMerge {
  public:
    // Room for so many edges, of which the caller writes the old ones.
    void reserve(std::size_t edges) {
        high_.reserve_grown(edges + 1);
        weight_.reserve_grown(edges + 1);
        sorted_high_.reserve_grown(edges + 1);
        sorted_weight_.reserve_grown(edges + 1);
    }
    Node* high() { return high_.data(); }
    double* weight() { return weight_.data(); }

    // Writes the merged row and returns its length.
    Node write(Node old_size, std::span<const Arrival> added, Node* high, double* weight) {
        if (added.empty()) {
            std::copy_n(high_.data(), old_size, high);
            std::copy_n(weight_.data(), old_size, weight);
            return old_size;
        }
        const auto size = old_size + static_cast<Node>(added.size());
        for (Node i = old_size; i < size; ++i) {
            high_.data()[i] = added[i - old_size].high;
            weight_.data()[i] = added[i - old_size].weight;
        }
        RowWriter row{high, weight};
        if (size <= kSortTogether) {
            sort(0, size);
            for (Node i = 0; i < size; ++i) row.put(sorted_high_.data()[i], sorted_weight_.data()[i]);
            return row.size();
        }
        sort(old_size, size);
        high_.data()[old_size] = kBehind;
        sorted_high_.data()[size - old_size] = kBehind;
        const Node *x = high_.data(), *y = sorted_high_.data();
        const double *x_weight = weight_.data(), *y_weight = sorted_weight_.data();
        for (Node left = size; left > 0; --left) {
            const bool old = *x <= *y;
            row.put(old ? *x : *y, old ? *x_weight : *y_weight);
            x += old;
            x_weight += old;
            y += !old;
            y_weight += !old;
        }
        return row.size();
    }

  private:
    static constexpr Node kSortTogether = 32;

    void sort(Node begin, Node end) {
        const Node size = end - begin;
        const Node* high = high_.data() + begin;
        const double* weight = weight_.data() + begin;
        double* key = ranking_.keys(size);
        for (Node i = 0; i < size; ++i) key[i] = 256.0 * high[i] + (i & 255);
        const std::int64_t* place = ranking_.places(size);
        for (Node i = 0; i < size; ++i) {
            sorted_high_.data()[place[i]] = high[i];
            sorted_weight_.data()[place[i]] = weight[i];
        }
    }

    Buffer<Node> high_, sorted_high_;
    Buffer<double> weight_, sorted_weight_;
    Ranking ranking_;
};

template <class Weight>
void write(const UpperHalf& half, const Kept& kept, const Output& output, View& view, Weight* weight) {
    const Node rows = kept.rows();
    std::int64_t* from = view.edge_index.data();
    std::int64_t* to = from + view.edges;
    // A weight stays positive and finite when it is narrowed.
    const auto narrow = [](double value) {
        using Limits = std::numeric_limits<Weight>;
        const auto narrowed = static_cast<Weight>(std::min<double>(value, Limits::max()));
        return narrowed > 0 ? narrowed : Limits::denorm_min();
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
    // A guess that is seldom too small: most new edges stay apart, and a share of the old ones lies between kept nodes.
    const std::size_t guess = log.size() + graph.neighbor.size() / 8;
    half.high.reserve(guess);
    half.weight.reserve(guess);
    RowMerge merge;
    SortedBucket added(std::int64_t{1} << log.shift);
    std::int64_t at = 0;
    for (Node low = 0; low < kept.rows(); ++low) {
        if ((low >> log.shift) << log.shift == low) added.take(log.log, log.spare + (low >> log.shift), low);
        half.begin[low] = at;
        const std::span<const Arrival> arrived = added.of(low);
        const Node u = kept.node[low];
        const std::int64_t end = graph.start[u + 1];
        std::int64_t old = graph.start[u];
        while (old < end && graph.neighbor[old] < u) ++old;
        merge.reserve(end - old + arrived.size());
        Node* old_high = merge.high();
        double* old_weight = merge.weight();
        Node old_size = 0;
        for (; old < end; ++old) {
            const Node high = kept.row_of[graph.neighbor[old]];
            old_high[old_size] = high;
            old_weight[old_size] = graph.weight_at(old);
            old_size += high >= 0;
        }
        half.high.reserve_grown(at + old_size + arrived.size() + 1);
        half.weight.reserve_grown(at + old_size + arrived.size() + 1);
        Node* high = half.high.data() + at;
        const Node size = merge.write(old_size, arrived, high, half.weight.data() + at);
        for (Node i = 0; i < size; ++i) ++half.below[high[i]];
        at += size;
    }
    std::fill(half.begin.begin() + kept.rows(), half.begin.end(), at);  // nothing lies above the ground
    return half;
}

View finish(UpperHalf half, const Kept& kept, const Output& output) {
    View view;
    view.single = output.single;
    view.grounded = output.ground;
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
