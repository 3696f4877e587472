#include "schur/eliminate.hpp"

#include <limits>

#include "schur/ordered.hpp"

namespace rlap {
namespace {

// One thread, one node after another.
class OrderedElimination {
  public:
    OrderedElimination(const Task& task, std::int64_t g_begin, std::int64_t g_end)
        : task_(task),
          graph_(task.graph),
          sampler_(task.neighbor_order),
          labels_(task, g_begin, g_end),
          log_(labels_.rows, labels_.blocks) {}

    void run(std::int64_t g, Elimination& result) {
        labels_.set(g);
        reader_.set(labels_);
        labels_.introduce_to(sampler_);
        block_shift_ = Bucketing(labels_.gone).shift;
        placing_ = Placing(labels_, block_shift_, log_.shift);
        late_.open(0, 0);
        done_ = 0;
        Recorder<OrderedElimination> recorder{task_, *this, result};
        eliminate_each(*this, 0, labels_.gone, recorder);
        recorder.before(std::numeric_limits<std::int64_t>::max());
        labels_.each_grounded([&](const Edge& edge) { log_.push(edge); });
        labels_.leave();
    }

    Node next(Node turn) {
        if ((turn >> block_shift_) << block_shift_ == turn) {
            block_ = turn >> block_shift_;
            const Node width = Node{1} << block_shift_;
            sorted_.take(log_.log, block_, turn, width, log_.log);
            late_.open(turn, width);
        }
        return turn;
    }
    void gather(Node turn) { reader_.gather<false>(labels_, turn, sorted_.of(turn), late_); }
    Star& star() { return reader_.star; }
    CliqueSampler& sampler() { return sampler_; }
    std::uint64_t key(Node turn) const { return labels_.key(turn); }
    Node node_of(Node label) const { return labels_.node_of(label); }

    void place(const Buffer<NewEdge>& edges) {
        for (const NewEdge& edge : edges) {
            const auto [low, high, bucket, stays] = placing_.of(edge);
            if (bucket != block_)
                log_.log.push(bucket, {low, high, edge.weight});
            else
                late_.add(low, high, edge.weight);
        }
        ++done_;
    }

    // The view as it stands. Nothing is changed.
    View snapshot() const {
        const Node first = labels_.first, size = labels_.size;
        Kept kept(graph_.nodes);
        for (Node u = first; u < first + size; ++u) kept.keep(u, labels_.label[u] >= done_);
        Buffer<Node> row(labels_.ground + 1);
        for (Node u = first; u < first + size; ++u) row[labels_.label[u]] = kept.row_of[u];
        const Node ground_row = row[labels_.ground] = kept.rows();
        RowLog log(kept.rows());
        const auto add = [&](Node x, Node y, double weight) {
            log.push({std::min(row[x], row[y]), std::max(row[x], row[y]), weight});
        };
        const Node to_label = labels_.gone - labels_.row_base;
        log_.each([&](const Edge& edge) { add(edge.low + to_label, edge.high + to_label, edge.weight); });
        for (Node block = 0; block < labels_.blocks; ++block)
            log_.log.each(block, [&](const Edge& edge) { add(edge.low, edge.high, edge.weight); });
        for (Node x = done_; x < std::min<std::int64_t>(labels_.gone, late_.end()); ++x) {
            for (const Arrival& edge : sorted_.of(x)) add(x, edge.high, edge.weight);
            for (std::uint32_t at = late_.head(x); at != LateEdges::kNone; at = late_[at].next)
                add(x, late_[at].high, late_[at].weight);
        }
        if (task_.ground)
            for (const Node u : kept.node)
                if (task_.ground[u] > 0) log.push({kept.row_of[u], ground_row, task_.ground[u]});
        return assemble(graph_, kept, log, task_.output);
    }

    View finish(std::int64_t g_begin, std::int64_t g_end) {
        return assemble(graph_, labels_.kept(g_begin, g_end), log_, task_.output);
    }

  private:
    const Task& task_;
    const Graph& graph_;
    CliqueSampler sampler_;
    StarReader reader_;
    Labels labels_;
    RowLog log_;  // new edges between nodes that stay and, in the spare buckets, of later blocks
    Placing placing_;
    SortedBucket sorted_;  // new edges of this block that came before it was opened
    LateEdges late_;       // and since
    int block_shift_ = 0;
    Node block_ = 0, done_ = 0;  // nodes eliminated
};

}  // namespace

void Columns::solve(double* x, std::size_t nodes) const {
    const auto count = static_cast<std::int64_t>(node.size());
    x[nodes] = 0;
    Poll poll;
    for (std::int64_t k = 0; k < count; ++k) {
        poll(begin[k + 1] - begin[k] + 1);
        const double value = x[node[k]];
        if (total[k] == 0 || value == 0) continue;
        const double share = value / total[k];
        for (std::int64_t i = begin[k]; i < begin[k + 1]; ++i) x[neighbor[i]] += share * weight[i];
    }
    x[nodes] = 0;  // takes whatever flows to it, and stays at 0
    for (std::int64_t k = count - 1; k >= 0; --k) {
        poll(begin[k + 1] - begin[k] + 1);
        double& value = x[node[k]];
        if (total[k] == 0) {
            value = 0;
            continue;
        }
        double sum = value;
        for (std::int64_t i = begin[k]; i < begin[k + 1]; ++i) sum += weight[i] * x[neighbor[i]];
        value = sum / total[k];
    }
}

Node kept_rows(const Task& task, std::int64_t g_begin, std::int64_t g_end) {
    Node rows = 0;
    for (std::int64_t g = g_begin; g < g_end; ++g)
        rows += task.graph.first[g + 1] - task.graph.first[g] - static_cast<Node>(task.selection.count[g]);
    return rows;
}

Elimination eliminate(const Task& task, std::int64_t g_begin, std::int64_t g_end, ThreadPool* pool) {
    if (task.selection.order == NodeOrder::degree) return eliminate_min_degree(task, g_begin, g_end, pool);
    Elimination result;
    if (pool && task.stops.empty() && !task.columns) {
        result.view = eliminate_in_parallel(task, g_begin, g_end, *pool);
        return result;
    }
    OrderedElimination elimination(task, g_begin, g_end);
    for (std::int64_t g = g_begin; g < g_end; ++g) elimination.run(g, result);
    result.view = elimination.finish(g_begin, g_end);
    return result;
}

}  // namespace rlap
