#include "schur/part.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "base/random.hpp"
#include "schur/eliminate.hpp"

namespace rlap {
namespace {

struct LoggedEdge {
    Node low, high;
    double weight;
    std::uint8_t filled;
};

PartEdges merge(Buffer<LoggedEdge>& edges, Node nodes) {
    edges = sort_by(edges, nodes, [](const LoggedEdge& edge) { return edge.high; });
    edges = sort_by(edges, nodes, [](const LoggedEdge& edge) { return edge.low; });
    PartEdges merged;
    Poll poll;
    for (std::size_t i = 0; i < edges.size();) {
        poll();
        std::size_t end = i + 1;
        while (end < edges.size() && edges[end].low == edges[i].low && edges[end].high == edges[i].high) ++end;
        if (end - i > 2)  // two summands commute, more do not
            std::sort(edges.begin() + i, edges.begin() + end,
                      [](const LoggedEdge& a, const LoggedEdge& b) { return a.weight < b.weight; });
        merged.low.push_back(edges[i].low);
        merged.high.push_back(edges[i].high);
        double sum = 0;
        std::uint8_t filled = 0;
        for (; i < end; ++i) {
            sum += edges[i].weight;
            filled |= edges[i].filled;
        }
        merged.weight.push_back(sum);
        merged.filled.push_back(filled);
    }
    return merged;
}

// Nodes carry labels: the rank in the order for those that go, and behind that for those that stay. A node's list has
// its edges to later nodes only.
class PartElimination {
  public:
    explicit PartElimination(const PartTask& task)
        : task_(task),
          sampler_(task.neighbor_order),
          label_(task.nodes, -1),
          node_(task.nodes),
          name_(task.nodes),
          start_(static_cast<std::size_t>(task.gone) + 1, 0),
          head_(task.gone, -1),
          position_(task.nodes, -1) {
        for (Node i = 0; i < task.gone; ++i) label_[task.order[i]] = i;
        for (Node u = 0, label = task.gone; u < task.nodes; ++u)
            if (label_[u] < 0) label_[u] = label++;
        for (Node u = 0; u < task.nodes; ++u) {
            node_[label_[u]] = u;
            name_[label_[u]] = task.id[u];
        }
        sampler_.set_ground(task.nodes);
        sampler_.set_names(name_.data());
        read_edges();
    }

    PartEdges run() {
        eliminate_each(*this, 0, task_.gone, Unwatched{});
        fill_.free();
        return merge(log_, task_.nodes);
    }

    Node next(Node turn) const { return turn; }
    void gather(Node turn) {
        star_.size = 0;
        bool filled = head_[turn] >= 0;
        for (std::int64_t i = start_[turn]; i < start_[turn + 1]; ++i) {
            filled |= item_[i].filled != 0;
            position_[item_[i].high] = star_.size;
            star_.push(item_[i].high, item_[i].weight);
        }
        for (std::int64_t at = head_[turn]; at >= 0; at = fill_[at].next) {
            const Node x = fill_[at].high, t = position_[x];
            if (t >= 0 && t < star_.size && star_.label[t] == x) {
                star_.weight[t] += fill_[at].weight;
            } else {
                position_[x] = star_.size;
                star_.push(x, fill_[at].weight);
            }
        }
        star_.equal = !filled && star_.all_same();
    }
    Star& star() { return star_; }
    CliqueSampler& sampler() { return sampler_; }
    std::uint64_t key(Node turn) const {
        return derive(task_.seed, Purpose::node, static_cast<std::uint64_t>(name_[turn]));
    }
    void place(const Buffer<NewEdge>& edges) {
        for (const NewEdge& edge : edges) {
            const Node low = std::min(edge.x, edge.y), high = std::max(edge.x, edge.y);
            if (low >= task_.gone) {
                log(low, high, edge.weight, 1);
            } else {
                fill_.push_back({edge.weight, high, head_[low]});
                head_[low] = static_cast<std::int64_t>(fill_.size()) - 1;
            }
        }
    }

  private:
    struct Item {
        double weight;
        Node high;
        std::uint8_t filled;
    };
    struct Fill {
        double weight;
        Node high;
        std::int64_t next;
    };

    void log(Node x, Node y, double weight, std::uint8_t filled) {
        const Node u = node_[x], v = node_[y];
        log_.push_back({std::min(u, v), std::max(u, v), weight, filled});
    }

    void read_edges() {
        const PartEdges& edges = task_.edges;
        const auto low_of = [&](std::size_t e) { return std::min(label_[edges.low[e]], label_[edges.high[e]]); };
        for (std::size_t e = 0; e < edges.size(); ++e)
            if (low_of(e) < task_.gone) ++start_[low_of(e) + 1];
        for (Node i = 0; i < task_.gone; ++i) start_[i + 1] += start_[i];
        item_.resize(start_[task_.gone]);
        Buffer<std::int64_t> at(task_.gone);
        std::copy_n(start_.begin(), task_.gone, at.begin());
        // Edges come by (low, high), so every list is sorted by node, as the whole graph's rows are: where all weights
        // are equal, the order of the list counts.
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const Node x = label_[edges.low[e]], y = label_[edges.high[e]];
            if (low_of(e) < task_.gone)
                item_[at[low_of(e)]++] = {edges.weight[e], std::max(x, y), edges.filled[e]};
            else
                log(x, y, edges.weight[e], edges.filled[e]);
        }
    }

    const PartTask& task_;
    CliqueSampler sampler_;
    Star star_;
    Buffer<Node> label_;          // by node
    Buffer<Node> node_;           // by label
    Buffer<std::int64_t> name_;   // its id
    Buffer<std::int64_t> start_;  // of the lists, by label
    Buffer<Item> item_;
    Buffer<std::int64_t> head_;  // and of what has come since
    Buffer<Fill> fill_;
    Buffer<Node> position_;  // by label
    Buffer<LoggedEdge> log_;
};

constexpr std::int64_t kMostStepsEach = 10'000;

}  // namespace

PartEdges merge_edges(const RawEdges& raw, Node nodes) {
    Buffer<LoggedEdge> edges;
    edges.reserve(raw.edges);
    Poll poll;
    double total = 0;
    for (std::int64_t e = 0; e < raw.edges; ++e) {
        poll();
        const Node source = read_once(raw.source + e), target = read_once(raw.target + e);
        const Node low = std::min(source, target), high = std::max(source, target);
        if (low < 0 || high >= nodes)
            throw std::invalid_argument("a node must lie in its part (got " + std::to_string(low < 0 ? low : high) +
                                        ")");
        const double weight = read_once(raw.weight + e);
        if (!(weight >= 0))
            throw std::invalid_argument("edge_weight must be positive (got " + std::to_string(weight) + ")");
        const auto filled = static_cast<std::uint8_t>(raw.filled[e] != 0);
        if (low == high) continue;
        edges.push_back({low, high, positive(weight), filled});
        total += 2 * weight;
    }
    if (!std::isfinite(total))
        throw std::invalid_argument("edge_weight must have a finite sum, both directions counted");
    return merge(edges, nodes);
}

PartEdges eliminate_part(const PartTask& task) { return PartElimination(task).run(); }

void walk_part(const PartWalks& walks, Node nodes) {
    Buffer<double> sum(walks.start[nodes]);
    for (Node u = 0; u < nodes; ++u) {
        double total = 0;
        for (std::int64_t at = walks.start[u]; at < walks.start[u + 1]; ++at) sum[at] = total += walks.weight[at];
    }
    std::int64_t left = kMostStepsEach * walks.walks;
    Poll poll;
    for (std::int64_t w = 0; w < walks.walks; ++w) {
        while (walks.place[w] >= 0) {
            poll();
            if (left-- == 0)
                throw std::runtime_error(
                    "terminal walks took over 10000 steps each on average: too few nodes are kept for walks to meet "
                    "them; keep more nodes or use elimination");
            const std::int64_t begin = walks.start[walks.place[w]], end = walks.start[walks.place[w] + 1];
            if (begin == end) throw std::invalid_argument("a walk must stand at a node that has an edge");
            const std::uint64_t draw = static_cast<std::uint64_t>(walks.step[w]) + 1;
            walks.step[w] = static_cast<std::int64_t>(draw);
            const double target = uniform(mix(walks.key[w] + kGolden * draw)) * sum[end - 1];
            const double* found = std::upper_bound(sum.data() + begin, sum.data() + end, target);
            const std::int64_t at = std::min<std::int64_t>(found - sum.data(), end - 1);
            walks.length[w] += 1 / walks.weight[at];
            walks.place[w] = read_once(walks.to + at);
            if (walks.place[w] >= nodes)
                throw std::invalid_argument("an edge must lead to a node of the part or an exit (got " +
                                            std::to_string(walks.place[w]) + ")");
        }
        walks.place[w] = ~walks.place[w];
    }
}

}  // namespace rlap
