#include "eliminate.hpp"

#include "min_degree.hpp"
#include "parallel_eliminate.hpp"
#include "placing.hpp"
#include "star_reader.hpp"

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
        const Bucketing blocks(labels_.gone);
        const Placing placing(labels_, blocks.shift, log_.shift);
        sorted_ = SortedBucket(blocks.width());

        std::size_t stop = 0;
        for (done_ = 0; done_ < labels_.gone; ++done_) {
            if ((done_ >> blocks.shift) << blocks.shift == done_) open_block(done_ >> blocks.shift, blocks.shift);
            for (; stop < task_.stops.size() && task_.stops[stop] == done_; ++stop)
                result.snapshots.push_back(snapshot());
            reader_.gather<false>(labels_, done_, sorted_.of(done_), late_);
            poll_(kEdgesEach + reader_.star.size);
            if (task_.columns)
                result.columns.record(labels_.order[done_], reader_.star,
                                      [&](Node label) { return labels_.node_of(label); });
            place(sampler_.replace(reader_.star, labels_.key(done_)), placing);
        }
        for (; stop < task_.stops.size(); ++stop) result.snapshots.push_back(snapshot());
        labels_.each_grounded([&](const Edge& edge) { log_.push(edge); });
        labels_.leave();
    }

    View finish(std::int64_t g_begin, std::int64_t g_end) {
        return assemble(graph_, labels_.kept(g_begin, g_end), log_, task_.output);
    }

  private:
    void open_block(Node block, int shift) {
        block_ = block;
        sorted_.take(log_.log, block, block << shift, log_.log);
        late_.open(block << shift, std::size_t{1} << shift);
    }

    void place(const Buffer<NewEdge>& edges, const Placing& placing) {
        for (const NewEdge& edge : edges) {
            const auto [low, high, bucket, stays] = placing.of(edge);
            if (bucket != block_)
                log_.log.push(bucket, {low, high, edge.weight});
            else
                late_.add(low, high, edge.weight);
        }
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

    const Task& task_;
    const Graph& graph_;
    CliqueSampler sampler_;
    StarReader reader_;
    Labels labels_;
    RowLog log_;              // new edges between nodes that stay and, in the spare buckets, of later blocks
    SortedBucket sorted_{1};  // new edges of this block that came before it was opened
    LateEdges late_;          // and since
    Node done_ = 0, block_ = 0;
    Poll poll_;
};

}  // namespace

Node kept_rows(const Task& task, std::int64_t g_begin, std::int64_t g_end) {
    Node rows = 0;
    for (std::int64_t g = g_begin; g < g_end; ++g)
        rows += task.graph.first[g + 1] - task.graph.first[g] - static_cast<Node>(task.selection.count[g]);
    return rows;
}

Elimination eliminate(const Task& task, std::int64_t g_begin, std::int64_t g_end, Team* team) {
    if (task.selection.order == NodeOrder::degree) return eliminate_min_degree(task, g_begin, g_end, team);
    Elimination result;
    if (team && task.stops.empty() && !task.columns) {
        result.view = eliminate_in_parallel(task, g_begin, g_end, *team);
        return result;
    }
    OrderedElimination elimination(task, g_begin, g_end);
    for (std::int64_t g = g_begin; g < g_end; ++g) elimination.run(g, result);
    result.view = elimination.finish(g_begin, g_end);
    return result;
}

}  // namespace rlap
