#include "eliminate.hpp"

#include <stdexcept>

#include "min_degree.hpp"

namespace rlap {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

// Elimination in an order that is known beforehand. Nodes carry labels: the rank in the order for those that go, their
// input order behind that for those that stay. An edge is kept once, at its smaller label, so a node's list is exactly
// its edges to later nodes and nothing ever has to be deleted. Labels are worked off in blocks; new edges wait in the
// bucket of their block, and those of the current block in short lists.
class OrderedElimination {
  public:
    OrderedElimination(const Task& task, std::int64_t g_begin, std::int64_t g_end)
        : task_(task),
          graph_(task.graph),
          sampler_(task.neighbor_order),
          label_(graph_.nodes),
          rows_(kept_rows(task, g_begin, g_end)),
          blocks_(most_blocks(task, g_begin, g_end)),
          log_(rows_, blocks_) {}

    void run(std::int64_t g, Elimination& result) {
        first_ = graph_.first[g];
        size_ = graph_.first[g + 1] - first_;
        gone_ = static_cast<Node>(task_.selection.count[g]);
        order_ = known_order(graph_, task_.selection, g, task_.seed);
        // The ground's label, less what turns the labels of kept nodes into rows, is the row behind the last.
        ground_ = rows_ - row_base_ + gone_;
        sampler_.set_ground(size_);
        set_labels();
        if (position_.size() <= static_cast<std::size_t>(ground_)) position_ = Buffer<Node>(ground_ + 1, 0);
        const std::uint64_t seed = derive_seed(task_.seed, 0, static_cast<std::uint64_t>(g));
        const Bucketing labels(gone_);
        const int shift = labels.shift;
        sorted_ = SortedBucket(labels.width());

        std::size_t stop = 0;
        for (done_ = 0; done_ < gone_; ++done_) {
            if ((done_ >> shift) << shift == done_) open_block(done_ >> shift, shift);
            for (; stop < task_.stops.size() && task_.stops[stop] == done_; ++stop)
                result.snapshots.push_back(snapshot());
            gather();
            if (task_.columns) result.columns.record(order_[done_], star_, [&](Node label) { return node_of(label); });
            place(sampler_.replace(star_, derive(seed, Purpose::node, order_[done_] - first_)), shift);
        }
        for (; stop < task_.stops.size(); ++stop) result.snapshots.push_back(snapshot());
        if (task_.ground)
            for (Node u = first_; u < first_ + size_; ++u)
                if (label_[u] >= gone_ && task_.ground[u] > 0)
                    log_.push({label_[u] - gone_ + row_base_, rows_, task_.ground[u]});
        row_base_ += size_ - gone_;
    }

    View finish(std::int64_t g_begin, std::int64_t g_end) {
        Kept kept(graph_.nodes);
        for (std::int64_t g = g_begin; g < g_end; ++g)
            for (Node u = graph_.first[g]; u < graph_.first[g + 1]; ++u)
                kept.keep(u, label_[u] >= task_.selection.count[g]);
        return assemble(graph_, kept, log_, task_.output);
    }

  private:
    static Node most_blocks(const Task& task, std::int64_t g_begin, std::int64_t g_end) {
        const std::int64_t* count = task.selection.count;
        const std::int64_t most = g_end > g_begin ? *std::max_element(count + g_begin, count + g_end) : 0;
        return static_cast<Node>(Bucketing(most).buckets);
    }

    void set_labels() {
        std::fill_n(label_.begin() + first_, size_, -1);
        for (Node i = 0; i < gone_; ++i) label_[order_[i]] = i;
        stayed_.clear();
        for (Node u = first_, label = gone_; u < first_ + size_; ++u) {
            if (label_[u] >= 0) continue;
            label_[u] = label++;
            if (task_.columns) stayed_.push_back(u);
        }
        // A given order may be carried out piece by piece, where ranks in the whole are not known yet: ties are drawn
        // by node.
        if (task_.selection.order != NodeOrder::given) return;
        name_.resize(size_);
        for (Node u = first_; u < first_ + size_; ++u) name_[label_[u]] = u - first_;
        sampler_.set_names(name_.data());
    }

    Node node_of(Node label) const {
        return label == ground_ ? graph_.nodes : label < gone_ ? order_[label] : stayed_[label - gone_];
    }

    void open_block(Node block, int shift) {
        block_ = block;
        block_first_ = block << shift;
        sorted_.take(log_.log, block, block_first_, log_.log);
        head_.resize(std::size_t{1} << shift);
        std::fill(head_.begin(), head_.end(), kNone);
        fill_.clear();
    }

    // The star of the node whose turn it is, parallel edges merged.
    void gather() {
        const Node turn = done_, u = order_[turn];
        const std::int64_t begin = graph_.start[u], end = graph_.start[u + 1];
        const std::span<const Arrival> arrived = sorted_.of(turn);
        const std::uint32_t late = head_[turn - block_first_];
        star_.reserve(end - begin + arrived.size() + 2);
        const Node* neighbor = graph_.neighbor.data();
        const Node* label_of = label_.data();
        Node* label = star_.label.data();
        double* weight = star_.weight.data();
        Node size = 0;
        if (graph_.weight.empty()) {
            for (std::int64_t at = begin; at < end; ++at) {
                const Node x = label_of[neighbor[at]];
                label[size] = x;
                weight[size] = 1.0;
                size += x > turn;
            }
        } else {
            for (std::int64_t at = begin; at < end; ++at) {
                const Node x = label_of[neighbor[at]];
                label[size] = x;
                weight[size] = graph_.weight[at];
                size += x > turn;
            }
        }
        star_.size = size;
        star_.equal = arrived.empty() && late == kNone && (graph_.weight.empty() || star_.all_same());
        if (task_.ground && task_.ground[u] > 0) {
            star_.push(ground_, task_.ground[u]);
            star_.equal = false;
        }
        if (!arrived.empty() || late != kNone) merge(arrived, late);
    }

    // A label stands in the star if its position, which may be left over from an earlier one, points back at it.
    // Whether it does is anybody's guess, so the code takes no branch on it.
    void merge(std::span<const Arrival> arrived, std::uint32_t late) {
        Node* position = position_.data();
        Node* label = star_.label.data();
        double* weight = star_.weight.data();
        Node size = star_.size;
        const auto add = [&](Node x, double w) {
            const Node inside = -static_cast<Node>(position[x] < size);  // all bits set, or none
            const Node t = position[x] & inside;
            const Node there = -static_cast<Node>(label[t] == x) & inside;
            const Node at = size + ((t - size) & there);
            weight[size] = 0.0;
            weight[at] += w;
            label[at] = x;
            position[x] = at;
            size += 1 + there;
        };
        for (Node t = 0; t < size; ++t) position[label[t]] = t;
        label[size] = -1;  // never read as a label, only so that it is not read before it is written
        for (const Arrival& edge : arrived) add(edge.high, edge.weight);
        star_.size = size;
        for (; late != kNone; late = fill_[late].next) {
            star_.reserve(static_cast<std::size_t>(size) + 1);
            label = star_.label.data();
            weight = star_.weight.data();
            add(fill_[late].high, fill_[late].weight);
        }
        star_.size = size;
    }

    // Sends every new edge to where its low end will look for it, without a branch on which end that is and whether it
    // stays.
    void place(const Buffer<NewEdge>& edges, int shift) {
        const Node to_row = row_base_ - gone_;
        for (const NewEdge& edge : edges) {
            const Node over = edge.x - edge.y, swap = over & (over >> 31);
            const Node stays = -static_cast<Node>(edge.y + swap >= gone_);  // all bits set, or none
            const Node low = edge.y + swap + (to_row & stays), high = edge.x - swap + (to_row & stays);
            const Node bucket = (low >> (shift + ((log_.shift - shift) & stays))) + (blocks_ & stays);
            if (bucket != block_) {
                log_.log.push(bucket, {low, high, edge.weight});
            } else {
                std::uint32_t& head = head_[low - block_first_];
                fill_.push_back({edge.weight, high, head});
                head = static_cast<std::uint32_t>(fill_.size() - 1);
            }
        }
    }

    // The view as it stands. Nothing is changed.
    View snapshot() const {
        Kept kept(graph_.nodes);
        for (Node u = first_; u < first_ + size_; ++u) kept.keep(u, label_[u] >= done_);
        Buffer<Node> row(ground_ + 1);
        for (Node u = first_; u < first_ + size_; ++u) row[label_[u]] = kept.row_of[u];
        const Node ground_row = row[ground_] = kept.rows();
        RowLog log(kept.rows());
        const auto add = [&](Node x, Node y, double weight) {
            log.push({std::min(row[x], row[y]), std::max(row[x], row[y]), weight});
        };
        const Node to_label = gone_ - row_base_;
        log_.each([&](const Edge& edge) { add(edge.low + to_label, edge.high + to_label, edge.weight); });
        for (Node block = 0; block < blocks_; ++block)
            log_.log.each(block, [&](const Edge& edge) { add(edge.low, edge.high, edge.weight); });
        for (Node x = done_; x < std::min<Node>(gone_, block_first_ + static_cast<Node>(head_.size())); ++x) {
            for (const Arrival& edge : sorted_.of(x)) add(x, edge.high, edge.weight);
            for (std::uint32_t at = head_[x - block_first_]; at != kNone; at = fill_[at].next)
                add(x, fill_[at].high, fill_[at].weight);
        }
        if (task_.ground)
            for (const Node u : kept.node)
                if (task_.ground[u] > 0) log.push({kept.row_of[u], ground_row, task_.ground[u]});
        return assemble(graph_, kept, log, task_.output);
    }

    struct Fill {
        double weight;
        Node high;
        std::uint32_t next;
    };

    const Task& task_;
    const Graph& graph_;
    CliqueSampler sampler_;
    Star star_;
    Buffer<Node> label_;          // by node, within its graph
    Buffer<Node> order_;          // by label, for those that go
    Buffer<Node> stayed_;         // by label, for those that stay; only for columns
    Buffer<std::int64_t> name_;   // by label, for ties; only for a given order
    Buffer<Node> position_;       // by label
    Node rows_, row_base_ = 0;    // of all graphs, and of those before this one
    Node blocks_;                 // of labels, at the most
    RowLog log_;                  // new edges between nodes that stay and, in the spare buckets, of later blocks
    SortedBucket sorted_{1};      // new edges of this block that came before it was opened
    Buffer<std::uint32_t> head_;  // and since, by label within the block
    Buffer<Fill> fill_;
    Node first_ = 0, size_ = 0, gone_ = 0, ground_ = 0;  // the graph at hand
    Node done_ = 0, block_ = 0, block_first_ = 0;
};

}  // namespace

Node kept_rows(const Task& task, std::int64_t g_begin, std::int64_t g_end) {
    Node rows = 0;
    for (std::int64_t g = g_begin; g < g_end; ++g)
        rows += task.graph.first[g + 1] - task.graph.first[g] - static_cast<Node>(task.selection.count[g]);
    return rows;
}

Elimination eliminate(const Task& task, std::int64_t g_begin, std::int64_t g_end) {
    if (task.selection.order == NodeOrder::degree) return eliminate_min_degree(task, g_begin, g_end);
    Elimination result;
    OrderedElimination elimination(task, g_begin, g_end);
    for (std::int64_t g = g_begin; g < g_end; ++g) elimination.run(g, result);
    result.view = elimination.finish(g_begin, g_end);
    return result;
}

}  // namespace rlap
