#include <vector>

#include "schur/ordered.hpp"

namespace rlap {
namespace {

// New edges for one owner.
struct alignas(kCacheLine) Far : Buffer<Edge> {
    // Between the two, so many edges can be written at `next`, without a question whether there is room.
    void open(std::size_t edges) {
        reserve_grown(size() + edges);
        next = data() + size();
    }
    void close() { resize(next - data()); }

    Edge* next = nullptr;
};

// What a run of neighbouring labels leaves behind, in the order of the labels.
struct alignas(kCacheLine) Outcome {
    struct Near {
        Node source;
        Node low, high;
        double weight;
    };
    explicit Outcome(std::size_t owners) : far(owners) {}
    void clear() {
        for (Far& to : far) to.clear();
        near.clear();
        waiting.clear();
        mark.clear();
    }
    // From here on comes what belongs behind the edges so far.
    void set_mark() {
        for (const Far& to : far) mark.push_back(to.size());
    }
    std::size_t marked(std::size_t i, std::size_t owner) const { return mark[i * far.size() + owner]; }

    std::vector<Far> far;      // new edges for other blocks and rows, by the owner of their bucket
    Buffer<Near> near;         // new edges of the same block
    Buffer<Node> waiting;      // labels that were left out
    Buffer<std::size_t> mark;  // where in `far` their edges belong, by label and owner
};

// Labels are taken in ranges of a block. A node waits if an earlier one of its range is its neighbour; all others of a
// range are eliminated at once: no fill can come between them. Those that wait follow one by one. All new edges are
// then handed to the owners of their buckets in the order of the nodes that they come from, so every list is what one
// thread would have made, bit for bit. In a random order few nodes wait: a range is a small part of what is left of the
// graph.
class ParallelElimination {
  public:
    ParallelElimination(const Task& task, std::int64_t g_begin, std::int64_t g_end, ThreadPool& pool)
        : task_(task),
          pool_(pool),
          labels_(task, g_begin, g_end),
          logs_(pool.size(), labels_.rows, labels_.blocks),
          late_outcome_(pool.size()) {
        for (int t = 0; t < pool.size(); ++t) worker_.emplace_back(task.neighbor_order);
    }

    void run(std::int64_t g) {
        labels_.set(g);
        for (Worker& worker : worker_) {
            worker.reader.set(labels_);
            labels_.introduce_to(worker.sampler);
        }
        const Bucketing blocks(labels_.gone);
        const auto width = static_cast<Node>(blocks.width());
        const Placing placing(labels_, blocks.shift, logs_.shift());
        Node range = width, alone = 0, patience = 1;
        for (std::int64_t begin = 0; begin < labels_.gone; begin += width) {
            open_block(static_cast<Node>(begin >> blocks.shift), static_cast<Node>(begin), width);
            const auto end = static_cast<Node>(std::min<std::int64_t>(labels_.gone, begin + width));
            for (auto from = static_cast<Node>(begin); from < end;) {
                if (alone > 0) {
                    Alone single{*this, placing};
                    eliminate_each(single, from, end, Unwatched{});
                    --alone;
                    break;
                }
                const Node to = from + std::min(range, end - from);
                const Node waited = run_range(from, to, placing);
                const Node taken = to - from;
                from = to;
                if (waited > taken / 8) {
                    // A range that hardly runs in parallel is not worth its overhead: leave it, longer every time.
                    if (range <= kLeastRange && waited > taken / 2)
                        alone = patience = std::min(2 * patience, kMostPatience);
                    range = std::max(kLeastRange, range / 2);
                } else {
                    patience = 1;
                    if (waited < taken / 32) range = std::min(width, 2 * range);
                }
            }
        }
        labels_.each_grounded([&](const Edge& edge) { logs_.push_row(edge); });
        labels_.leave();
    }

    View finish(std::int64_t g_begin, std::int64_t g_end) {
        return assemble(task_.graph, labels_.kept(g_begin, g_end), logs_.all(), task_.output, pool_);
    }

  private:
    static constexpr Node kRunsEach = 32, kLeastRun = 8, kMostRun = 128;  // runs for a thread, and nodes of a run
    static constexpr Node kLeastRange = 64, kMostPatience = 64;
    struct alignas(kCacheLine) Worker {
        explicit Worker(NeighborOrder order) : sampler(order) {}
        CliqueSampler sampler;
        StarReader reader;
        Poll poll;
    };

    void open_block(Node block, Node first, Node width) {
        block_ = block;
        first_ = first;
        before_.resize(width);
        std::fill(before_.begin(), before_.end(), -1);
        sorted_.take_shared(logs_.of(logs_.owner(block)), block, first, width, pool_, [&](Node low, Node high) {
            Node* const last = &before_[high - first];  // std::atomic_ref is not in libc++ before 19
            Node seen = __atomic_load_n(last, __ATOMIC_RELAXED);
            while (seen < low &&
                   !__atomic_compare_exchange_n(last, &seen, low, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            }
        });
        late_.open(first, width);
    }

    // A new edge of this block.
    void add_late(Node low, Node high, double weight) {
        late_.add(low, high, weight);
        const auto within = static_cast<std::size_t>(high - first_);
        if (within < before_.size()) before_[within] = std::max(before_[within], low);
    }

    // One thread, one node after another.
    struct Alone {
        ParallelElimination& all;
        const Placing& placing;

        Node next(Node turn) const { return turn; }
        void gather(Node turn) {
            all.worker_[0].reader.gather<false>(all.labels_, turn, all.sorted_.of(turn), all.late_);
        }
        Star& star() { return all.worker_[0].reader.star; }
        CliqueSampler& sampler() { return all.worker_[0].sampler; }
        std::uint64_t key(Node turn) const { return all.labels_.key(turn); }
        void place(const Buffer<NewEdge>& edges) {
            for (const NewEdge& edge : edges) {
                const auto [low, high, bucket, stays] = placing.of(edge);
                bucket != all.block_ ? all.logs_.push(bucket, {low, high, edge.weight})
                                     : all.late_.add(low, high, edge.weight);
            }
        }
    };

    // Returns how many nodes had to wait.
    Node run_range(Node begin, Node end, const Placing& placing) {
        const Node each = std::clamp((end - begin) / (kRunsEach * pool_.size()), kLeastRun, kMostRun);
        const std::size_t runs = (end - begin + each - 1) / each;
        while (outcome_.size() < runs) outcome_.emplace_back(logs_.owners());
        pool_.each(static_cast<std::int64_t>(runs), [&](int thread, std::int64_t run) {
            const Node from = begin + static_cast<Node>(run) * each;
            eliminate_run(worker_[thread], from, std::min(end, from + each), begin, placing, outcome_[run]);
        });
        const Node waited = eliminate_waiting(runs, placing);
        pool_.each(static_cast<std::int64_t>(logs_.owners()),
                   [&](int, std::int64_t owner) { place(runs, owner, placing); });
        return waited;
    }

    void eliminate_run(Worker& worker, Node from, Node to, Node begin, const Placing& placing, Outcome& outcome) {
        outcome.clear();
        for (Node turn = from; turn < to; ++turn) {
            if (before_[turn - first_] >= begin ||
                !worker.reader.gather<true>(labels_, turn, sorted_.of(turn), late_, begin)) {
                outcome.waiting.push_back(turn);
                outcome.set_mark();
                continue;
            }
            worker.poll(kEdgesEach + worker.reader.star.size);
            sort_out(worker.sampler.replace(worker.reader.star, labels_.key(turn)), placing, outcome,
                     [&](const Placing::Place& at, double weight) {
                         outcome.near.push_back({turn, at.low, at.high, weight});
                     });
        }
    }

    template <class Near>
    void sort_out(const Buffer<NewEdge>& edges, const Placing& placing, Outcome& outcome, const Near& near) {
        for (Far& to : outcome.far) to.open(edges.size());
        for (const NewEdge& edge : edges) {
            const Placing::Place at = placing.of(edge);
            if (at.bucket == block_)
                near(at, edge.weight);
            else
                *outcome.far[logs_.owner(at.bucket)].next++ = Placing::on_its_way(at, edge.weight);
        }
        for (Far& to : outcome.far) to.close();
    }

    // Those that had to wait, in their order; each finds the new edges of all that came before it.
    Node eliminate_waiting(std::size_t runs, const Placing& placing) {
        Node waited = 0;
        Worker& worker = worker_[0];
        late_outcome_.clear();
        for (std::size_t run = 0; run < runs; ++run) {
            const Outcome& outcome = outcome_[run];
            std::size_t at = 0;
            const auto arrive_before = [&](Node turn) {
                for (; at < outcome.near.size() && outcome.near[at].source < turn; ++at)
                    add_late(outcome.near[at].low, outcome.near[at].high, outcome.near[at].weight);
            };
            for (const Node turn : outcome.waiting) {
                arrive_before(turn);
                late_outcome_.set_mark();
                worker.reader.gather<false>(labels_, turn, sorted_.of(turn), late_);
                worker.poll(kEdgesEach + worker.reader.star.size);
                sort_out(worker.sampler.replace(worker.reader.star, labels_.key(turn)), placing, late_outcome_,
                         [&](const Placing::Place& to, double weight) { add_late(to.low, to.high, weight); });
                ++waited;
            }
            arrive_before(labels_.gone);
        }
        late_outcome_.set_mark();
        return waited;
    }

    // Hands the new edges to one owner's buckets, in the order of the nodes that they come from.
    void place(std::size_t runs, std::size_t owner, const Placing& placing) {
        EdgeLog& log = logs_.of(owner);
        const auto hand_over = [&](const Buffer<Edge>& edges, std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                const Placing::Place at = placing.arrived(edges[i]);
                log.push(at.bucket, {at.low, at.high, edges[i].weight});
            }
        };
        std::size_t waited = 0;
        for (std::size_t run = 0; run < runs; ++run) {
            const Outcome& outcome = outcome_[run];
            std::size_t at = 0;
            for (std::size_t i = 0; i < outcome.waiting.size(); ++i, ++waited) {
                hand_over(outcome.far[owner], at, outcome.marked(i, owner));
                at = outcome.marked(i, owner);
                hand_over(late_outcome_.far[owner], late_outcome_.marked(waited, owner),
                          late_outcome_.marked(waited + 1, owner));
            }
            hand_over(outcome.far[owner], at, outcome.far[owner].size());
        }
    }

    const Task& task_;
    ThreadPool& pool_;
    Labels labels_;
    OwnedLogs logs_;
    std::vector<Worker> worker_;
    std::vector<Outcome> outcome_;
    Outcome late_outcome_;
    SortedBucket sorted_;  // new edges of this block that came before it was opened
    LateEdges late_;       // and since
    Buffer<Node> before_;  // by label within the block: the last label of the block with a new edge to it, or -1
    Node block_ = 0, first_ = 0;
};

}  // namespace

View eliminate_in_parallel(const Task& task, std::int64_t g_begin, std::int64_t g_end, ThreadPool& pool) {
    ParallelElimination elimination(task, g_begin, g_end, pool);
    for (std::int64_t g = g_begin; g < g_end; ++g) elimination.run(g);
    return elimination.finish(g_begin, g_end);
}

}  // namespace rlap
