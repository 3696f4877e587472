#include "eliminate.hpp"

#include <stdexcept>

#include "min_degree.hpp"

namespace rlap {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

// A new edge, kept at whichever of its ends goes first.
struct Fill {
    double weight;
    Node other;
    std::uint32_t next;
};

// Elimination in an order that is known beforehand. Nodes carry labels: the rank in the order for those that go, their
// input order behind that for those that stay. An edge is kept once, at its smaller label, so a node's list is exactly
// its edges to later nodes and nothing ever has to be deleted.
class OrderedElimination {
  public:
    OrderedElimination(const Task& task, std::int64_t g_begin, std::int64_t g_end)
        : task_(task), graph_(task.graph), sampler_(task.neighbor_order), label_(graph_.nodes) {
        for (std::int64_t g = g_begin; g < g_end; ++g)
            rows_ += graph_.first[g + 1] - graph_.first[g] - static_cast<Node>(task.selection.count[g]);
        log_.reserve((graph_.start[graph_.first[g_end]] - graph_.start[graph_.first[g_begin]]) / 4);
    }

    void run(std::int64_t g, Elimination& result) {
        const Node first = graph_.first[g], size = graph_.first[g + 1] - first;
        const auto gone = static_cast<Node>(task_.selection.count[g]);
        const std::uint64_t seed = derive_seed(task_.seed, 0, static_cast<std::uint64_t>(g));
        order_ = known_order(graph_, task_.selection, g, task_.seed);
        set_labels(first, size, gone);
        head_.resize(gone);
        std::fill(head_.begin(), head_.end(), kNone);
        if (position_.size() <= static_cast<std::size_t>(size)) position_ = Buffer<Node>(size + 1, 0);
        fill_.clear();

        std::size_t stop = 0;
        for (Node i = 0; i < gone; ++i) {
            for (; stop < task_.stops.size() && task_.stops[stop] == i; ++stop)
                result.snapshots.push_back(snapshot(i, size, gone));
            gather(i, size);
            if (task_.columns)
                result.columns.record(order_[i], star_, [&](Node label) {
                    return label == size ? graph_.nodes : label < gone ? order_[label] : stayed_[label - gone];
                });
            replace(derive(seed, Purpose::node, order_[i] - first), gone, size);
        }
        for (; stop < task_.stops.size(); ++stop) result.snapshots.push_back(snapshot(gone, size, gone));
        if (task_.ground) log_ground(first, size, gone);
        row_base_ += size - gone;
    }

    View finish(std::int64_t g_begin, std::int64_t g_end) {
        fill_.free();
        Kept kept(graph_.nodes);
        for (std::int64_t g = g_begin; g < g_end; ++g)
            for (Node u = graph_.first[g]; u < graph_.first[g + 1]; ++u)
                kept.keep(u, label_[u] >= task_.selection.count[g]);
        return rlap::finish(assemble(graph_, kept, rows_ + (task_.ground != nullptr), log_), kept, task_.output);
    }

  private:
    void set_labels(Node first, Node size, Node gone) {
        std::fill_n(label_.begin() + first, size, -1);
        for (Node i = 0; i < gone; ++i) label_[order_[i]] = i;
        stayed_.clear();
        for (Node u = first, label = gone; u < first + size; ++u) {
            if (label_[u] >= 0) continue;
            label_[u] = label++;
            if (task_.columns) stayed_.push_back(u);
        }
    }

    // The star of the node with label i, parallel edges merged.
    void gather(Node i, Node ground) {
        const Node u = order_[i];
        const std::int64_t end = graph_.start[u + 1];
        star_.clear(graph_.weight.empty());
        star_.reserve_more(graph_.degree(u) + 1);
        for (std::int64_t at = graph_.start[u]; at < end; ++at) {
            const Node label = label_[graph_.neighbor[at]];
            star_.push_if(label, graph_.weight_at(at), label > i);
        }
        if (task_.ground && task_.ground[u] > 0) {
            star_.push_if(ground, task_.ground[u], true);
            star_.equal = false;
        }
        if (head_[i] != kNone) merge_fill(head_[i]);
        star_.measure();
    }

    // A label stands in the star if its position, which may be left over from an earlier one, points back at it.
    void merge_fill(std::uint32_t at) {
        star_.equal = false;
        for (Node t = 0; t < star_.size; ++t) position_[star_.label.data()[t]] = t;
        for (; at != kNone; at = fill_[at].next) {
            const Fill& fill = fill_[at];
            const Node t = position_[fill.other];
            if (t < star_.size && star_.label.data()[t] == fill.other) {
                star_.weight.data()[t] += fill.weight;
            } else {
                position_[fill.other] = star_.size;
                star_.push(fill.other, fill.weight);
            }
        }
    }

    void replace(std::uint64_t key, Node gone, Node ground) {
        if (fill_.size() + static_cast<std::size_t>(star_.size) >= kNone)
            throw std::length_error("an elimination can hold 2^32 - 1 new edges at the most");
        fill_.reserve_more(star_.size);
        log_.reserve_more(star_.size);
        Fill* fill = fill_.data();
        Edge* log = log_.data();
        std::size_t filled = fill_.size(), logged = log_.size();
        const Node shift = row_base_ - gone;
        sampler_.replace(star_, key, [&](Node x, Node y, double weight) {
            const Node low = std::min(x, y), high = std::max(x, y);
            if (low < gone) {
                fill[filled] = {weight, high, head_[low]};
                head_[low] = static_cast<std::uint32_t>(filled++);
            } else {
                log[logged++] = {low + shift, high == ground ? rows_ : high + shift, weight};
            }
        });
        fill_.resize(filled);
        log_.resize(logged);
    }

    void log_ground(Node first, Node size, Node gone) {
        for (Node u = first; u < first + size; ++u)
            if (label_[u] >= gone && task_.ground[u] > 0)
                log_.push_back({label_[u] - gone + row_base_, rows_, task_.ground[u]});
    }

    // The view after the labels below `done` have gone. Nothing is changed.
    View snapshot(Node done, Node size, Node gone) {
        Kept kept(graph_.nodes);
        for (Node u = 0; u < size; ++u) kept.keep(u, label_[u] >= done);
        Buffer<Node> row(size + 1);
        for (Node u = 0; u < size; ++u) row[label_[u]] = kept.row_of[u];
        const Node ground = row[size] = kept.rows();
        Buffer<Edge> log;
        log.reserve(log_.size());
        const auto add = [&](Node x, Node y, double weight) {
            log.push_back({std::min(x, y), std::max(x, y), weight});
        };
        for (const Edge& edge : log_)
            add(row[edge.low + gone], edge.high == rows_ ? ground : row[edge.high + gone], edge.weight);
        for (Node i = done; i < gone; ++i)
            for (std::uint32_t at = head_[i]; at != kNone; at = fill_[at].next)
                add(row[i], row[fill_[at].other], fill_[at].weight);
        if (task_.ground)
            for (const Node u : kept.node)
                if (task_.ground[u] > 0) add(kept.row_of[u], ground, task_.ground[u]);
        return rlap::finish(assemble(graph_, kept, ground + (task_.ground != nullptr), log), kept, task_.output);
    }

    const Task& task_;
    const Graph& graph_;
    CliqueSampler sampler_;
    Star star_;
    Buffer<Node> label_;     // by node, within its graph
    Buffer<Node> order_;     // by label, for those that go
    Buffer<Node> stayed_;    // by label, for those that stay; only for columns
    Buffer<Node> position_;  // by label
    Buffer<std::uint32_t> head_;
    Buffer<Fill> fill_;
    Buffer<Edge> log_;  // new edges between nodes that stay
    Node row_base_ = 0, rows_ = 0;
};

}  // namespace

Elimination eliminate(const Task& task, std::int64_t g_begin, std::int64_t g_end) {
    Elimination result;
    if (task.selection.order == NodeOrder::degree) return eliminate_min_degree(task, g_begin, g_end);
    OrderedElimination elimination(task, g_begin, g_end);
    for (std::int64_t g = g_begin; g < g_end; ++g) elimination.run(g, result);
    result.view = elimination.finish(g_begin, g_end);
    return result;
}

}  // namespace rlap
