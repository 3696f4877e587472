// Collects the stars of nodes whose turn it is.
#pragma once

#include <span>

#include "clique.hpp"
#include "edge_log.hpp"
#include "labels.hpp"
#include "late_edges.hpp"

namespace rlap {

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
        if (turn + 2 * kAhead < labels.gone) {  // rows lie in no order of turns: ask for them in time
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

}  // namespace rlap
