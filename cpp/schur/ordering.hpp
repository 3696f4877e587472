// o_v: which node is eliminated next.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/random.hpp"
#include "graph/graph.hpp"

namespace rlap {

enum class NodeOrder { random, degree, given };

// Which nodes of each graph may go, and how many of them do.
struct Selection {
    NodeOrder order = NodeOrder::random;
    const Node* nodes = nullptr;          // candidates, graph after graph; null: every node. `given`: in their order
    const std::int64_t* begin = nullptr;  // graphs + 1 offsets into nodes
    const std::int64_t* count = nullptr;  // how many go, for each graph

    Buffer<Node> candidates(const Graph& graph, std::int64_t g) const {
        Buffer<Node> chosen;
        if (nodes) {
            chosen.resize(begin[g + 1] - begin[g]);
            std::copy(nodes + begin[g], nodes + begin[g + 1], chosen.begin());
        } else {
            chosen.resize(graph.first[g + 1] - graph.first[g]);
            for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = graph.first[g] + static_cast<Node>(i);
        }
        return chosen;
    }
};

// The nodes of graph g that go, in their order, when that does not depend on the elimination. `seed` is the view's.
inline Buffer<Node> known_order(const Graph& graph, const Selection& selection, std::int64_t g, std::uint64_t seed) {
    Buffer<Node> order = selection.candidates(graph, g);
    const auto count = static_cast<std::size_t>(selection.count[g]);
    if (selection.order == NodeOrder::random) {
        Stream draws(derive(derive_seed(seed, 0, static_cast<std::uint64_t>(g)), Purpose::order, 0));
        for (std::size_t i = 0; i < count; ++i) std::swap(order[i], order[i + draws.next_below(order.size() - i)]);
    }
    order.resize(count);
    return order;
}

// The node of least degree, ties at random. Nodes lie in one array sorted by degree, so a change by one is a swap at a
// border between buckets. Increases, the common case in an elimination, only raise the degree: the node moves up when
// it is drawn from a bucket that it has outgrown.
class DegreeQueue {
  public:
    // `degree` belongs to the caller, who changes it; nodes are numbered 0 .. nodes - 1.
    DegreeQueue(const Buffer<Node>& candidates, const Buffer<Node>& degree, Node nodes, Stream draws)
        : degree_(degree), most_(nodes), draws_(draws), begin_(nodes + 2, 0), place_(nodes), bucket_(nodes, -1) {
        for (const Node x : candidates) ++begin_[key(x) + 1];
        for (Node b = 0; b <= most_; ++b) begin_[b + 1] += begin_[b];
        Buffer<Node> at(nodes + 1);
        std::copy_n(begin_.begin(), nodes + 1, at.begin());
        sorted_.resize(candidates.size());
        for (const Node x : candidates) put(x, at[key(x)]++, key(x));
    }

    // Takes out a node of least degree; the caller asks no more often than there are nodes.
    Node pop() {
        for (;;) {
            while (begin_[low_ + 1] <= done_) ++low_;
            const Node from = std::max(begin_[low_], done_);
            const Node x = low_ < most_ ? sorted_[from + draws_.next_below(begin_[low_ + 1] - from)] : least(from);
            if (key(x) > low_) {
                while (bucket_[x] < key(x)) move_up(x);
            } else {
                exchange(x, done_++);
                bucket_[x] = -1;
                return x;
            }
        }
    }

    // The node that comes next if no degree changes until then: good enough to ask for its memory in time.
    Node likely_next() const {
        const Node from = std::max(begin_[low_], done_), left = begin_[low_ + 1] - from;
        return left > 0 ? sorted_[from + static_cast<Node>(draws_.peek_below(static_cast<std::uint64_t>(left)))] : -1;
    }

    // The degree of x has become smaller.
    void decreased(Node x) {
        while (bucket_[x] > key(x)) move_down(x);
        if (bucket_[x] >= 0) low_ = std::min(low_, bucket_[x]);
    }

  private:
    // The last bucket holds different degrees, but only a few nodes: parallel edges must outnumber the nodes for it.
    Node least(Node from) {
        const auto smaller = [this](Node x, Node y) { return degree_[x] < degree_[y]; };
        const Node lowest = degree_[*std::min_element(sorted_.begin() + from, sorted_.end(), smaller)];
        const auto ties = std::count_if(sorted_.begin() + from, sorted_.end(),
                                        [this, lowest](Node x) { return degree_[x] == lowest; });
        auto skip = static_cast<std::ptrdiff_t>(draws_.next_below(static_cast<std::uint64_t>(ties)));
        const Node* at = sorted_.begin() + from;
        while (degree_[*at] != lowest || skip-- > 0) ++at;
        return *at;
    }
    Node key(Node x) const { return std::clamp(degree_[x], 0, most_); }
    void put(Node x, Node place, Node bucket) {
        sorted_[place] = x;
        place_[x] = place;
        bucket_[x] = bucket;
    }
    void exchange(Node x, Node place) {
        const Node other = sorted_[place];
        put(other, place_[x], bucket_[other]);
        put(x, place, bucket_[x]);
    }
    void move_up(Node x) {
        const Node bucket = bucket_[x]++;
        exchange(x, --begin_[bucket + 1]);
    }
    void move_down(Node x) {
        const Node bucket = bucket_[x]--;
        begin_[bucket] = std::max(begin_[bucket], done_);
        exchange(x, begin_[bucket]++);
    }

    const Buffer<Node>& degree_;
    Node most_;  // the last bucket holds this degree and all above
    Stream draws_;
    Buffer<Node> begin_;  // bucket b is sorted_[max(begin_[b], done_)] .. sorted_[begin_[b + 1] - 1]
    Buffer<Node> sorted_;
    Buffer<Node> place_, bucket_;
    Node done_ = 0;  // nodes taken out, at the front of sorted_
    Node low_ = 0;   // no bucket below holds a node
};

}  // namespace rlap
