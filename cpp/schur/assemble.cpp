#include "schur/assemble.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <vector>

#include "base/interrupt.hpp"
#include "base/thread_pool.hpp"
#include "schur/rank.hpp"
#include "schur/sorted_bucket.hpp"

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
        const std::uint64_t before = std::bit_cast<std::uint64_t>(sum) & -static_cast<std::uint64_t>(again);
        sum = value + std::bit_cast<double>(before);
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

// The upper halves of rows, each the edges to later rows, one row after another.
struct UpperHalves {
    UpperHalves() { clear(); }
    void clear() {
        begin.clear();
        begin.push_back(0);
    }

    std::size_t rows() const { return begin.size() - 1; }
    std::int64_t edges() const { return begin[rows()]; }

    // A row is written behind edges(), and then closed with the number of its edges.
    void reserve_row(std::size_t edges_at_most) {
        const std::size_t edges = static_cast<std::size_t>(this->edges()) + edges_at_most;
        high.reserve_grown(edges);
        value.reserve_grown(edges);
    }
    void close_row(Node size) { begin.push_back(edges() + size); }

    Buffer<std::int64_t> begin;  // of every row, and behind the last
    Buffer<Node> high;
    Buffer<double> value;
};

// The rows of the view, from the first to the last, in the blocks of the log. An edge is merged at its low end, and
// waits in the block of its high end for its other direction. So both carry the same bits, and all that is written or
// read at random lies within one block, which stays in cache.
template <class Weight>
class alignas(kCacheLine) Assembly {
  public:
    Assembly(const Graph& graph, const Kept& kept, RowLog& log, const Output& output)
        : graph_(graph), kept_(kept), log_(log), output_(output), mirror_(log.log.buckets() - log.spare) {}

    // All rows. What fits in the caches is written to its place at once; what does not waits there for its block.
    void write(View& view, Buffer<Weight>& weight) {
        // Both directions are made from the upper one, so this is enough for any graph.
        auto most = static_cast<std::int64_t>(2 * log_.size());
        for (const Node u : kept_.node) most += 2 * (graph_.start[u + 1] - graph_.upper[u]);
        most <= kFits ? write_near(view, weight) : write_far(view, weight, most);
    }

    // Where put() writes to.
    void set_out(std::int64_t* to, Weight* weight) {
        to_ = to;
        weight_ = weight;
    }

    std::int64_t name(Node row) const { return output_.relabel ? row : kept_.node[row]; }

    void put(std::int64_t at, std::int64_t to, double value) {
        using Limits = std::numeric_limits<Weight>;
        // A weight stays positive and finite when it is narrowed.
        const auto narrowed = static_cast<Weight>(std::min<double>(value, Limits::max()));
        to_[at] = to;
        weight_[at] = narrowed > 0 ? narrowed : Limits::denorm_min();
    }

    // Adds the upper halves of the rows first .. end - 1, and leaves every edge to its later row.
    void merge_block(EdgeLog& log, Node first, Node end, View& view) {
        const int shift = log_.shift;
        merge_block(log, first, end, view,
                    [&](Node high, Node self, double value) { mirror_.push(high >> shift, {high, self, value}); });
    }
    template <class Leave>
    void merge_block(EdgeLog& log, Node first, Node end, View& view, const Leave& leave) {
        added_.take(log, log_.spare + (first >> log_.shift), first, log_.width(), mirror_);
        for (Node low = first; low < end; ++low) {
            const std::span<const Arrival> arrived = added_.of(low);
            const Node old_size = gather(low, arrived.size());
            if (arrived.size() >= static_cast<std::size_t>(kBehind - old_size))
                throw std::length_error("a row can get 2^31 - 1 edges at the most, parallel ones counted");
            upper_.reserve_row(old_size + arrived.size() + 1);
            Node* high = upper_.high.data() + upper_.edges();
            double* values = upper_.value.data() + upper_.edges();
            Node size = merge_.write(old_size, arrived, high, values);
            if (size > 0 && high[size - 1] == kept_.rows()) {  // the ground is not a node of the view
                --size;
                view.ground[name(low)] = values[size];
            }
            const auto self = static_cast<Node>(name(low));
            for (Node i = 0; i < size; ++i) leave(high[i], self, values[i]);
            upper_.close_row(size);
            poll_(old_size + static_cast<std::int64_t>(arrived.size()) + 1);
        }
    }

    void expect(std::size_t edges) { upper_.reserve_row(edges); }
    const UpperHalves& upper() const { return upper_; }
    const EdgeLog& mirror() const { return mirror_; }

  private:
    static constexpr std::int64_t kFits = 1 << 20;  // edges of a view, in the caches

    template <class Visit>
    void each_block(const Visit& visit) {
        const std::int64_t rows = kept_.rows(), width = log_.width();
        for (std::int64_t first = 0; first < rows; first += width)
            visit(static_cast<Node>(first), static_cast<Node>(std::min(rows, first + width)));
    }

    void write_near(View& view, Buffer<Weight>& weight) {
        const Node rows = kept_.rows();
        Buffer<Node> below(rows, 0);
        each_block([&](Node first, Node end) {
            merge_block(log_.log, first, end, view, [&](Node high, Node, double) { ++below[high]; });
        });
        const std::int64_t edges = view.edges = 2 * upper_.edges();
        view.edge_index.resize(2 * edges);
        weight.resize(edges);
        set_out(view.edge_index.data() + edges, weight.data());
        Buffer<std::int64_t> next(rows);  // where the next edge to an earlier row goes
        std::int64_t at = 0;
        for (Node r = 0; r < rows; ++r) {
            next[r] = at;
            const std::int64_t size = below[r] + upper_.begin[r + 1] - upper_.begin[r];
            std::fill_n(view.edge_index.data() + at, size, name(r));
            at += size;
        }
        for (Node r = 0; r < rows; ++r) {
            const std::int64_t self = name(r);
            at = next[r];  // all earlier rows have been here
            for (std::int64_t i = upper_.begin[r]; i < upper_.begin[r + 1]; ++i, ++at) {
                const Node high = upper_.high[i];
                put(at, name(high), upper_.value[i]);
                put(next[high]++, self, upper_.value[i]);
            }
        }
    }

    void write_far(View& view, Buffer<Weight>& weight, std::int64_t most) {
        // Memory that is asked for but never written costs nothing.
        view.edge_index.resize(2 * most);
        weight.resize(most);
        set_out(view.edge_index.data() + most, weight.data());
        const Node rows = kept_.rows();
        Buffer<std::int64_t> size(rows);
        std::int64_t at = 0;
        each_block([&](Node first, Node end) {
            upper_.clear();
            merge_block(log_.log, first, end, view);
            below_.take(mirror_, first >> log_.shift, first, log_.width(), mirror_);
            for (Node r = first; r < end; ++r) {
                const std::int64_t begin = at;
                for (const Arrival& edge : below_.of(r)) put(at++, edge.high, edge.weight);
                const std::int64_t last = upper_.begin[r - first + 1];
                for (std::int64_t i = upper_.begin[r - first]; i < last; ++i)
                    put(at++, name(upper_.high[i]), upper_.value[i]);
                size[r] = at - begin;
                poll_(size[r]);
            }
        });
        view.edges = at;
        view.front = most - at;
        std::int64_t* from = view.edge_index.data() + view.front;
        for (Node r = 0; r < rows; ++r) from = std::fill_n(from, size[r], name(r));
        weight.resize(at);
    }

    // The old edges of a row to later ones, with room for so many new ones.
    Node gather(Node low, std::size_t more) {
        const Node u = kept_.node[low];
        const std::int64_t end = graph_.start[u + 1];
        std::int64_t old = graph_.upper[u];
        merge_.reserve(end - old + more);
        Node* high = merge_.high();
        double* weight = merge_.weight();
        const Node *neighbor = graph_.neighbor.data(), *row_of = kept_.row_of.data();
        Node size = 0;
        for (; old < end; ++old) {
            const Node row = row_of[neighbor[old]];
            high[size] = row;
            weight[size] = graph_.weight_at(old);
            size += row >= 0;
        }
        return size;
    }

    const Graph& graph_;
    const Kept& kept_;
    RowLog& log_;
    const Output& output_;
    EdgeLog mirror_;
    SortedBucket added_, below_;
    RowMerge merge_;
    UpperHalves upper_;
    Poll poll_;
    std::int64_t* to_ = nullptr;
    Weight* weight_ = nullptr;
};

// The rows written by several threads, with an assembly each: first the upper halves of all blocks, which leaves every
// edge's other direction in the block of its high end, then, when the sizes are known, the rows in their places. Bucket
// b is in logs[b % logs.size()].
template <class Weight, class Resize>
void write_in_parallel(std::vector<Assembly<Weight>>& assembly, std::span<RowLog> logs, Node rows, View& view,
                       ThreadPool& pool, const Resize& resize) {
    const RowLog& shape = logs[0];
    const Node width = shape.width();
    const auto blocks = (std::int64_t{rows} + width - 1) / width;
    const auto end_of = [&](std::int64_t block) {
        return static_cast<Node>(std::min<std::int64_t>(rows, (block + 1) * width));
    };
    std::vector<const EdgeLog*> mirrors;
    for (Assembly<Weight>& one : assembly) mirrors.push_back(&one.mirror());

    struct Upper {
        const UpperHalves* halves;  // of the thread that merged the block
        std::size_t row;            // that the block begins with there
    };
    std::vector<Upper> upper(blocks);
    std::vector<std::int64_t> begin(blocks + 1, 0);
    pool.each(blocks, [&](int thread, std::int64_t block) {
        EdgeLog& log = logs[(shape.spare + block) % logs.size()].log;
        const UpperHalves& halves = assembly[thread].upper();
        upper[block] = {&halves, halves.rows()};
        const std::int64_t edges = halves.edges();
        assembly[thread].merge_block(log, static_cast<Node>(block * width), end_of(block), view);
        begin[block + 1] = halves.edges() - edges;
    });
    pool.each(blocks, [&](int, std::int64_t block) {
        for (const EdgeLog* mirror : mirrors) begin[block + 1] += static_cast<std::int64_t>(mirror->size(block));
    });
    for (std::int64_t block = 0; block < blocks; ++block) begin[block + 1] += begin[block];

    view.edges = begin[blocks];
    view.edge_index.resize(2 * view.edges);
    resize(view.edges);
    struct alignas(kCacheLine) Below : SortedBucket {};
    std::vector<Below> below(pool.size());
    pool.each(blocks, [&](int thread, std::int64_t block) {
        const auto first = static_cast<Node>(block * width);
        below[thread].merge(mirrors, block, first, width);
        const auto& [halves, row] = upper[block];
        const std::int64_t* half = halves->begin.data() + row;
        std::int64_t at = begin[block];
        stop_if_told();
        for (Node r = first; r < end_of(block); ++r, ++half) {
            const std::int64_t row_begin = at;
            for (const Arrival& edge : below[thread].of(r)) assembly[thread].put(at++, edge.high, edge.weight);
            for (std::int64_t i = half[0]; i < half[1]; ++i)
                assembly[thread].put(at++, assembly[thread].name(halves->high[i]), halves->value[i]);
            std::fill_n(view.edge_index.data() + row_begin, at - row_begin, assembly[thread].name(r));
        }
    });
}

View empty_view(const Kept& kept, const Output& output) {
    View view;
    view.single = output.single;
    view.grounded = output.ground;
    const auto nodes = kept.row_of.size();
    view.node_mask = Buffer<std::uint8_t>(nodes, 0);
    for (const Node u : kept.node) view.node_mask[u] = 1;
    if (output.ground) view.ground = Buffer<double>(output.relabel ? kept.rows() : nodes, 0.0);
    return view;
}

template <class Weight>
void write_with(ThreadPool& pool, const Graph& graph, const Kept& kept, std::span<RowLog> logs, const Output& output,
                View& view, Buffer<Weight>& weight) {
    std::vector<Assembly<Weight>> assembly;
    assembly.reserve(pool.size());
    // An elimination adds fewer edges than it takes away, and threads do about the same.
    const std::size_t share = graph.neighbor.size() / 2 / pool.size();
    for (int t = 0; t < pool.size(); ++t) assembly.emplace_back(graph, kept, logs[0], output).expect(share);
    write_in_parallel(assembly, logs, kept.rows(), view, pool, [&](std::int64_t edges) {
        weight.resize(edges);
        for (Assembly<Weight>& one : assembly) one.set_out(view.edge_index.data() + edges, weight.data());
    });
}

}  // namespace

View assemble(const Graph& graph, const Kept& kept, std::span<RowLog> logs, const Output& output, ThreadPool& pool) {
    View view = empty_view(kept, output);
    if (output.single)
        write_with(pool, graph, kept, logs, output, view, view.weight_single);
    else
        write_with(pool, graph, kept, logs, output, view, view.weight);
    return view;
}

View assemble(const Graph& graph, const Kept& kept, RowLog& log, const Output& output) {
    View view = empty_view(kept, output);
    if (output.single)
        Assembly<float>(graph, kept, log, output).write(view, view.weight_single);
    else
        Assembly<double>(graph, kept, log, output).write(view, view.weight);
    return view;
}

}  // namespace rlap
