// The paper's Algorithm 1: eliminate nodes one by one, replace each star by a sampled clique.
#pragma once

#include <vector>

#include "base/interrupt.hpp"
#include "schur/assemble.hpp"
#include "schur/clique.hpp"
#include "schur/ordering.hpp"

namespace rlap {

// The columns that an elimination leaves behind: the eliminated node, what it weighed, and its star. Column k stands
// for s_k = (total[k] e_node[k] - sum_j weight[j] e_neighbor[j]) / sqrt(total[k]).
struct Columns {
    Buffer<Node> node;
    Buffer<double> total;
    Buffer<std::int64_t> begin;  // one more than there are columns
    Buffer<Node> neighbor;       // the ground has the number graph.nodes
    Buffer<double> weight;

    Columns() { begin.push_back(0); }
    template <class NodeOf>
    void record(Node eliminated, const Star& star, const NodeOf& node_of) {
        node.push_back(eliminated);
        total.push_back(star.total());
        for (Node i = 0; i < star.size; ++i) {
            neighbor.push_back(node_of(star.label[i]));
            weight.push_back(star.weight[i]);
        }
        begin.push_back(static_cast<std::int64_t>(neighbor.size()));
    }

    // After a full elimination, replaces x by (G D G^T)^+ x, where G has these columns. `x` has a value for each of the
    // nodes, and room for one more, the ground. Columns of weight 0, the last of their component, solve to 0.
    void solve(double* x, std::size_t nodes) const;
};

struct Task {
    const Graph& graph;
    Selection selection;
    NeighborOrder neighbor_order = NeighborOrder::ascending;
    std::uint64_t seed = 0;
    const double* ground = nullptr;  // a weight to the ground for every node, or null
    Output output;
    std::vector<std::int64_t> stops;  // also show the view after so many eliminations; only for a single graph
    bool columns = false;
};

struct Elimination {
    View view;
    std::vector<View> snapshots;
    Columns columns;
};

// The one loop of all eliminations. A variant says which node comes next, collects its star, and takes the edges that
// replace it; `watch` sees every step before it is taken, and every star.
template <class Variant, class Watch>
void eliminate_each(Variant& variant, Node begin, Node end, Watch&& watch) {
    Poll poll;
    for (Node turn = begin; turn < end; ++turn) {
        watch.before(turn);
        const Node x = variant.next(turn);
        variant.gather(x);
        poll(kEdgesEach + variant.star().size);
        watch.seen(x, variant.star());
        variant.place(variant.sampler().replace(variant.star(), variant.key(x)));
    }
}

struct Unwatched {
    void before(Node) const {}
    void seen(Node, const Star&) const {}
};

// Takes snapshots and records columns, as the task asks.
template <class Variant>
struct Recorder {
    const Task& task;
    const Variant& variant;
    Elimination& result;
    std::size_t stop = 0;

    void before(std::int64_t turn) {
        for (; stop < task.stops.size() && task.stops[stop] <= turn; ++stop)
            result.snapshots.push_back(variant.snapshot());
    }
    void seen(Node x, const Star& star) {
        if (!task.columns) return;
        result.columns.record(variant.node_of(x), star, [this](Node y) { return variant.node_of(y); });
    }
};

// How many nodes the graphs g_begin .. g_end - 1 keep.
Node kept_rows(const Task& task, std::int64_t g_begin, std::int64_t g_end);

// Works on the graphs g_begin .. g_end - 1 of the batch; the view's node_mask is set for their nodes only. With a pool,
// its threads share the work within a graph, and the result is the same, bit for bit: all of it in an order that is
// known beforehand, the writing of the view otherwise, and nothing when there are stops or columns.
Elimination eliminate(const Task& task, std::int64_t g_begin, std::int64_t g_end, ThreadPool* pool = nullptr);

// By dynamic minimum degree, where the order comes about on the way. The degree of a node counts its edges, parallel
// ones until they are merged: an upper bound on its neighbours that needs no search, as in approximate minimum degree
// orderings.
Elimination eliminate_min_degree(const Task& task, std::int64_t g_begin, std::int64_t g_end, ThreadPool* pool);

// In an order that is known beforehand, by several threads, without snapshots and columns.
View eliminate_in_parallel(const Task& task, std::int64_t g_begin, std::int64_t g_end, ThreadPool& pool);

// One view for each task; the tasks are about the same graph. Threads share views, the graphs of a batch and, where
// there are more threads than those, the work within a graph or a part of a batch, from `least_edges` on, both
// directions counted. None of it changes a result.
std::vector<View> eliminate_all(const std::vector<Task>& tasks, int threads, std::int64_t least_edges);

}  // namespace rlap
