// The paper's Algorithm 1: eliminate nodes one by one, replace each star by a sampled clique.
#pragma once

#include <vector>

#include "assemble.hpp"
#include "clique.hpp"
#include "interrupt.hpp"
#include "ordering.hpp"

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

// How many nodes the graphs g_begin .. g_end - 1 keep.
Node kept_rows(const Task& task, std::int64_t g_begin, std::int64_t g_end);

// Works on the graphs g_begin .. g_end - 1 of the batch; the view's node_mask is set for their nodes only. With a team,
// its threads share the work within a graph, and the result is the same, bit for bit: all of it in an order that is
// known beforehand, the writing of the view otherwise, and nothing when there are stops or columns.
Elimination eliminate(const Task& task, std::int64_t g_begin, std::int64_t g_end, Team* team = nullptr);

}  // namespace rlap
