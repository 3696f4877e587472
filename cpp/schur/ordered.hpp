// What eliminations in an order that is known beforehand share, on one thread or several.
//
// Nodes carry labels: the rank in the order for those that go, their input order behind that for those that stay. An
// edge is kept once, at its smaller label, so a node's list is exactly its edges to later nodes and nothing ever has to
// be deleted. Labels are worked off in blocks; new edges wait in the bucket of their block, and those of the current
// block in short lists.
#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>

#include "schur/eliminate.hpp"
#include "schur/sorted_bucket.hpp"

namespace rlap {

struct Labels {
    Labels(const Task& task, std::int64_t g_begin, std::int64_t g_end)
        : task(task), graph(task.graph), label(graph.nodes), rows(kept_rows(task, g_begin, g_end)) {
        const std::int64_t* count = task.selection.count;
        const std::int64_t most = g_end > g_begin ? *std::max_element(count + g_begin, count + g_end) : 0;
        blocks = static_cast<Node>(Bucketing(most).buckets);
    }

    void set(std::int64_t g) {
        first = graph.first[g];
        size = graph.first[g + 1] - first;
        gone = static_cast<Node>(task.selection.count[g]);
        order = known_order(graph, task.selection, g, task.seed);
        // The ground's label, less what turns the labels of kept nodes into rows, is the row behind the last.
        ground = rows - row_base + gone;
        seed = derive_seed(task.seed, 0, static_cast<std::uint64_t>(g));
        std::fill_n(label.begin() + first, size, -1);
        for (Node i = 0; i < gone; ++i) label[order[i]] = i;
        stayed.clear();
        for (Node u = first, next = gone; u < first + size; ++u) {
            if (label[u] >= 0) continue;
            label[u] = next++;
            if (task.columns) stayed.push_back(u);
        }
        // A given order may be carried out piece by piece, where ranks in the whole are not known yet: ties are drawn
        // by node.
        if (task.selection.order != NodeOrder::given) return;
        name.resize(size);
        for (Node u = first; u < first + size; ++u) name[label[u]] = u - first;
    }
    void introduce_to(CliqueSampler& sampler) const {
        sampler.set_ground(size);
        sampler.set_names(name.data());
    }
    void leave() { row_base += size - gone; }

    Node node_of(Node x) const { return x == ground ? graph.nodes : x < gone ? order[x] : stayed[x - gone]; }
    std::uint64_t key(Node turn) const { return derive(seed, Purpose::node, order[turn] - first); }

    // Calls push(edge) for every kept node's edge to the ground.
    template <class Push>
    void each_grounded(const Push& push) const {
        if (!task.ground) return;
        for (Node u = first; u < first + size; ++u)
            if (label[u] >= gone && task.ground[u] > 0) push(Edge{label[u] - gone + row_base, rows, task.ground[u]});
    }

    Kept kept(std::int64_t g_begin, std::int64_t g_end) const {
        Kept kept(graph.nodes);
        for (std::int64_t g = g_begin; g < g_end; ++g)
            for (Node u = graph.first[g]; u < graph.first[g + 1]; ++u)
                kept.keep(u, label[u] >= task.selection.count[g]);
        return kept;
    }

    const Task& task;
    const Graph& graph;
    Buffer<Node> label;         // by node, within its graph
    Buffer<Node> order;         // by label, for those that go
    Buffer<Node> stayed;        // by label, for those that stay; only for columns
    Buffer<std::int64_t> name;  // by label, for ties; only for a given order
    Node rows, row_base = 0;    // of all graphs, and of those before this one
    Node blocks;                // of labels, at the most
    Node first = 0, size = 0, gone = 0, ground = 0;
    std::uint64_t seed = 0;
};

// New edges of the current block that came since it was opened, by low end, the last first.
class LateEdges {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    struct Late {
        double weight;
        Node high;
        std::uint32_t next;
    };

    void open(Node first, std::size_t width) {
        first_ = first;
        head_.resize(width);
        std::fill(head_.begin(), head_.end(), kNone);
        late_.clear();
    }
    void add(Node low, Node high, double weight) {
        if (late_.size() >= kNone) throw std::length_error("a block can get 2^32 - 1 new edges at the most");
        std::uint32_t& head = head_[low - first_];
        late_.push_back({weight, high, head});
        head = static_cast<std::uint32_t>(late_.size() - 1);
    }
    std::uint32_t head(Node low) const { return head_[low - first_]; }
    const Late& operator[](std::uint32_t at) const { return late_[at]; }
    std::int64_t end() const { return first_ + static_cast<std::int64_t>(head_.size()); }

  private:
    Node first_ = 0;
    Buffer<std::uint32_t> head_;
    Buffer<Late> late_;
};

// Collects the stars of nodes whose turn it is.
class StarReader {
  public:
    Star star;

    void set(const Labels& labels) {
        const auto size = static_cast<std::size_t>(labels.ground) + 1;
        if (place_.size() < size) place_ = Buffer<Node>(size, 0);
    }

    // The star of the node whose turn it is, parallel edges merged. With `Watch`, returns false, and no star, when an
    // old edge leads to a label from `since` on whose turn comes before.
    template <bool Watch>
    bool gather(const Labels& labels, Node turn, std::span<const Arrival> arrived, const LateEdges& late_edges,
                Node since = 0) {
        const std::uint32_t late = late_edges.head(turn);
        const std::size_t more = arrived.size() + (late != LateEdges::kNone);
        if (!read<Watch>(labels, turn, more, since)) return false;
        if (more > 0) merge(arrived, late, late_edges);
        return true;
    }

  private:
    // The old edges, and the ground, with room for so many more.
    template <bool Watch>
    bool read(const Labels& labels, Node turn, std::size_t more, Node since) {
        const Graph& graph = labels.graph;
        const Node u = labels.order[turn];
        const std::int64_t begin = graph.start[u], end = graph.start[u + 1];
        // Rows lie in no order of turns: ask for them in time, where there are any.
        if (turn + 2 * kAhead < labels.gone && !graph.neighbor.empty()) {
            __builtin_prefetch(graph.start.data() + labels.order[turn + 2 * kAhead]);
            const Node* row = graph.neighbor.data() + graph.start[labels.order[turn + kAhead]];
            __builtin_prefetch(row);
            __builtin_prefetch(row + 16);
        }
        star.reserve(end - begin + more + 2);
        const Node* neighbor = graph.neighbor.data();
        const Node* label_of = labels.label.data();
        Node* label = star.label.data();
        double* weight = star.weight.data();
        Node* place = place_.data();
        Node size = 0;
        bool waits = false;
        if (graph.weight.empty()) {
            for (std::int64_t at = begin; at < end; ++at) {
                const Node x = label_of[neighbor[at]];
                label[size] = x;
                weight[size] = 1.0;
                place[x] = size;
                size += x > turn;
                if constexpr (Watch) waits |= (x < turn) & (x >= since);
            }
        } else {
            for (std::int64_t at = begin; at < end; ++at) {
                const Node x = label_of[neighbor[at]];
                label[size] = x;
                weight[size] = graph.weight[at];
                place[x] = size;
                size += x > turn;
                if constexpr (Watch) waits |= (x < turn) & (x >= since);
            }
        }
        if (waits) return false;
        star.size = size;
        star.equal = more == 0 && (graph.weight.empty() || star.all_same());
        const double* ground = labels.task.ground;
        if (ground && ground[u] > 0) {
            place[labels.ground] = star.size;
            star.push(labels.ground, ground[u]);
            star.equal = false;
        }
        return true;
    }

    // Adds new edges. Whether a label stands in the star already is anybody's guess, so the code takes no branch on it.
    void merge(std::span<const Arrival> arrived, std::uint32_t late, const LateEdges& late_edges) {
        Node *label = star.label.data(), *place = place_.data();
        double* weight = star.weight.data();
        Node size = star.size;
        const auto add = [&](Node x, double w) {
            const Node inside = -static_cast<Node>(place[x] < size);  // all bits set, or none
            const Node t = place[x] & inside;
            const Node there = -static_cast<Node>(label[t] == x) & inside;
            const Node at = place[x] = size + ((t - size) & there);
            weight[size] = 0.0;
            weight[at] += w;
            label[at] = x;
            size += at == size;
        };
        label[size] = -1;  // never read as a label, only so that it is not read before it is written
        for (const Arrival& edge : arrived) add(edge.high, edge.weight);
        for (; late != LateEdges::kNone; late = late_edges[late].next) {
            star.size = size;
            star.reserve(static_cast<std::size_t>(size) + 1);
            label = star.label.data();
            weight = star.weight.data();
            add(late_edges[late].high, late_edges[late].weight);
        }
        star.size = size;
    }

    static constexpr Node kAhead = 4;
    // A slot for every label. A label stands in the star if its slot, which may be left over from an earlier star,
    // points back at it.
    Buffer<Node> place_;
};

// Where a new edge goes: the bucket in which its low end will look for it, or the row in which it stays.
struct Placing {
    Placing() = default;
    Placing(const Labels& labels, int label_shift, int row_shift)
        : gone(labels.gone),
          to_row(labels.row_base - labels.gone),
          blocks(labels.blocks),
          label_shift(label_shift),
          row_shift(row_shift) {}

    struct Place {
        Node low, high, bucket;
        Node stays;  // all bits set if the edge does, or none
    };
    // Without a branch on which end is the lower and whether it stays.
    Place of(const NewEdge& edge) const {
        const Node over = edge.x - edge.y, swap = over & (over >> 31);
        const Node stays = -static_cast<Node>(edge.y + swap >= gone);
        const Node low = edge.y + swap + (to_row & stays), high = edge.x - swap + (to_row & stays);
        return {low, high, bucket(low, stays), stays};
    }
    // An edge that has yet to go there says by the sign of its low end whether it stays.
    static Edge on_its_way(const Place& at, double weight) { return {at.low ^ at.stays, at.high, weight}; }
    Place arrived(const Edge& edge) const {
        const Node stays = edge.low >> 31, low = edge.low ^ stays;
        return {low, edge.high, bucket(low, stays), stays};
    }
    Node bucket(Node low, Node stays) const {
        return (low >> (label_shift + ((row_shift - label_shift) & stays))) + (blocks & stays);
    }

    Node gone = 0, to_row = 0, blocks = 0;
    int label_shift = 0, row_shift = 0;
};

}  // namespace rlap
