// The labels of an elimination in an order that is known beforehand.
//
// Nodes carry labels: the rank in the order for those that go, their input order behind that for those that stay. An
// edge is kept once, at its smaller label, so a node's list is exactly its edges to later nodes and nothing ever has to
// be deleted. Labels are worked off in blocks; new edges wait in the bucket of their block, and those of the current
// block in short lists.
#pragma once

#include <algorithm>

#include "eliminate.hpp"

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

}  // namespace rlap
