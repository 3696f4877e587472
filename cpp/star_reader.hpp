// Collects the stars of nodes whose turn it is.
#pragma once

#include <span>

#include "clique.hpp"
#include "edge_log.hpp"
#include "labels.hpp"
#include "late_edges.hpp"
#include "star_places.hpp"

namespace rlap {

class StarReader {
  public:
    Star star;

    void set(const Labels& labels) {
        all_.set(static_cast<std::size_t>(labels.ground) + 1);
        many_ = static_cast<std::size_t>(labels.ground) >= PlacesInCache::kSlots;
    }

    // The star of the node whose turn it is, parallel edges merged. With `Watch`, returns false, and no star, when an
    // old edge leads to a label from `since` on whose turn comes before.
    template <bool Watch>
    bool gather(const Labels& labels, Node turn, std::span<const Arrival> arrived, const LateEdges& late_edges,
                Node since = 0) {
        const std::uint32_t late = late_edges.head(turn);
        const std::size_t more = arrived.size() + (late != LateEdges::kNone);
        if (!read<Watch>(labels, turn, more, since)) return false;
        if (more == 0) return true;
        if (many_ && star.size + arrived.size() <= PlacesInCache::kMostNeighbors) {
            if (merge(near_, arrived, late, late_edges)) return true;
            read<false>(labels, turn, more, since);
        }
        return merge(all_, arrived, late, late_edges);
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
        Node size = 0;
        bool waits = false;
        if (graph.weight.empty()) {
            for (std::int64_t at = begin; at < end; ++at) {
                const Node x = label_of[neighbor[at]];
                label[size] = x;
                weight[size] = 1.0;
                size += x > turn;
                if constexpr (Watch) waits |= (x < turn) & (x >= since);
            }
        } else {
            for (std::int64_t at = begin; at < end; ++at) {
                const Node x = label_of[neighbor[at]];
                label[size] = x;
                weight[size] = graph.weight[at];
                size += x > turn;
                if constexpr (Watch) waits |= (x < turn) & (x >= since);
            }
        }
        if (waits) return false;
        star.size = size;
        star.equal = more == 0 && (graph.weight.empty() || star.all_same());
        const double* ground = labels.task.ground;
        if (ground && ground[u] > 0) {
            star.push(labels.ground, ground[u]);
            star.equal = false;
        }
        return true;
    }

    // Returns whether `places` were good; if not, the star is spoilt.
    template <class Places>
    bool merge(Places& places, std::span<const Arrival> arrived, std::uint32_t late, const LateEdges& late_edges) {
        Node* label = star.label.data();
        double* weight = star.weight.data();
        Node size = star.size;
        const auto add = [&](Node x, double w) {
            const Node at = places.find_or_add(x, label, size);
            weight[size] = 0.0;
            weight[at] += w;
            label[at] = x;
            size += at == size;
        };
        places.begin();
        for (Node t = 0; t < size; ++t) places.put(label[t], t);
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
        return places.good();
    }

    static constexpr Node kAhead = 4;
    PlacesByLabel all_;
    PlacesInCache near_;
    bool many_ = false;  // labels, more than slots in cache
};

}  // namespace rlap
