#include <limits>
#include <stdexcept>

#include "schur/eliminate.hpp"

namespace rlap {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

// A new edge, in the list of both its ends.
struct Link {
    double weight;
    Node end[2];
    std::uint32_t next[2];
};

// Nodes are numbered within their graph; the ground comes behind the last. Edges to nodes that are gone are skipped
// when they are met.
class MinDegreeElimination {
  public:
    MinDegreeElimination(const Task& task, std::int64_t g)
        : task_(task),
          graph_(task.graph),
          first_(graph_.first[g]),
          size_(graph_.first[g + 1] - first_),
          seed_(derive_seed(task.seed, 0, static_cast<std::uint64_t>(g))),
          sampler_(task.neighbor_order),
          alive_(size_ + 1, 1),
          degree_(size_ + 1, 0),
          position_(size_ + 1, 0),
          head_(size_ + 1, kNone) {
        sampler_.set_ground(size_);
    }

    void run(const Buffer<Node>& candidates, Node count, Elimination& result) {
        for (Node x = 0; x < size_; ++x)
            degree_[x] = static_cast<Node>(graph_.degree(first_ + x)) + (task_.ground && task_.ground[first_ + x] > 0);
        DegreeQueue queue(candidates, degree_, size_, Stream(derive(seed_, Purpose::order, 0)));
        queue_ = &queue;
        Recorder<MinDegreeElimination> recorder{task_, *this, result};
        eliminate_each(*this, 0, count, recorder);
        recorder.before(std::numeric_limits<std::int64_t>::max());
    }

    Node next(Node) {
        const Node x = queue_->pop();
        alive_[x] = 0;
        prefetch(queue_->likely_next());
        return x;
    }
    Star& star() { return star_; }
    CliqueSampler& sampler() { return sampler_; }
    std::uint64_t key(Node x) const { return derive(seed_, Purpose::node, x); }
    Node node_of(Node x) const { return x == size_ ? graph_.nodes : first_ + x; }

    void gather(Node x) {
        const Node u = first_ + x;
        star_.reserve(graph_.degree(u) + 1);
        Node size = 0;
        for (std::int64_t at = graph_.start[u]; at < graph_.start[u + 1]; ++at) {
            const Node y = graph_.neighbor[at] - first_;
            star_.label.data()[size] = y;
            star_.weight.data()[size] = graph_.weight_at(at);
            size += alive_[y];
        }
        star_.size = size;
        star_.equal = head_[x] == kNone && (graph_.weight.empty() || star_.all_same());
        if (task_.ground && task_.ground[u] > 0) {
            star_.push(size_, task_.ground[u]);
            star_.equal = false;
        }
        if (head_[x] != kNone) merge_links(x);
    }

    void place(const Buffer<NewEdge>& edges) {
        if (link_.size() + static_cast<std::size_t>(star_.size) >= kNone)
            throw std::length_error("an elimination can hold 2^32 - 1 new edges at the most");
        for (const NewEdge& edge : edges) {
            const auto at = static_cast<std::uint32_t>(link_.size());
            link_.push_back({edge.weight, {edge.x, edge.y}, {head_[edge.x], head_[edge.y]}});
            head_[edge.x] = head_[edge.y] = at;
            ++degree_[edge.x];
            ++degree_[edge.y];
        }
        // Every neighbour loses its edge to the eliminated node; only one that got no new edge ends up with fewer.
        for (Node t = 0; t < star_.size; ++t) --degree_[star_.label.data()[t]];
        if (star_.size == 1 && star_.label[0] != size_) queue_->decreased(star_.label[0]);
    }

    View snapshot() const {
        Kept kept(graph_.nodes);
        Node rows = 0;
        for (Node x = 0; x < size_; ++x) rows += alive_[x];
        RowLog log(rows);
        collect(kept, rows, log);
        return assemble(graph_, kept, log, task_.output);
    }

    // Adds this graph's kept nodes and new edges to those of the graphs before it.
    void collect(Kept& kept, Node ground_row, RowLog& log) const {
        for (Node x = 0; x < size_; ++x) kept.keep(first_ + x, alive_[x]);
        const auto row = [&](Node x) { return x == size_ ? ground_row : kept.row_of[first_ + x]; };
        Poll poll;
        for (const Link& link : link_) {
            poll();
            if (!alive_[link.end[0]] || !alive_[link.end[1]]) continue;
            const Node x = row(link.end[0]), y = row(link.end[1]);
            log.push({std::min(x, y), std::max(x, y), link.weight});
        }
        if (task_.ground)
            for (Node x = 0; x < size_; ++x)
                if (alive_[x] && task_.ground[first_ + x] > 0) log.push({row(x), ground_row, task_.ground[first_ + x]});
    }

  private:
    // Rows and links are read in no particular order; asking for them a node ahead hides most of the wait. Inlined by
    // force, as the compiler takes a function that only prefetches for one that does nothing.
    [[gnu::always_inline]] void prefetch(Node x) const {
        if (x < 0 || graph_.neighbor.empty()) return;
        const Node* row = graph_.neighbor.data() + graph_.start[first_ + x];
        __builtin_prefetch(row);
        __builtin_prefetch(row + 15);
        if (head_[x] != kNone) __builtin_prefetch(&link_[head_[x]]);
    }

    void merge_links(Node x) {
        for (Node t = 0; t < star_.size; ++t) position_[star_.label.data()[t]] = t;
        for (std::uint32_t at = head_[x]; at != kNone;) {
            const Link& link = link_[at];
            const bool side = link.end[1] == x;
            const Node y = link.end[!side];
            at = link.next[side];
            if (!alive_[y]) continue;
            const Node t = position_[y];
            if (t < star_.size && star_.label.data()[t] == y) {
                star_.weight.data()[t] += link.weight;
                --degree_[y];
                if (y != size_) queue_->decreased(y);
            } else {
                position_[y] = star_.size;
                star_.push(y, link.weight);
            }
        }
    }

    const Task& task_;
    const Graph& graph_;
    Node first_, size_;
    std::uint64_t seed_;
    CliqueSampler sampler_;
    Star star_;
    Buffer<std::uint8_t> alive_;
    Buffer<Node> degree_, position_;
    Buffer<std::uint32_t> head_;
    Buffer<Link> link_;
    DegreeQueue* queue_ = nullptr;
};

}  // namespace

Elimination eliminate_min_degree(const Task& task, std::int64_t g_begin, std::int64_t g_end, ThreadPool* pool) {
    const Graph& graph = task.graph;
    Elimination result;
    Kept kept(graph.nodes);
    const Node rows = kept_rows(task, g_begin, g_end);
    RowLog log(rows);
    for (std::int64_t g = g_begin; g < g_end; ++g) {
        Buffer<Node> candidates = task.selection.candidates(graph, g);
        for (Node& x : candidates) x -= graph.first[g];
        MinDegreeElimination elimination(task, g);
        elimination.run(candidates, static_cast<Node>(task.selection.count[g]), result);
        elimination.collect(kept, rows, log);
    }
    result.view = pool ? assemble(graph, kept, {&log, 1}, task.output, *pool) : assemble(graph, kept, log, task.output);
    return result;
}

}  // namespace rlap
