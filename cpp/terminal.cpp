#include "terminal.hpp"

#include <algorithm>
#include <cfloat>
#include <stdexcept>

#include "parallel.hpp"
#include "random.hpp"

namespace rlap {
namespace {

constexpr std::size_t kWalksAtOnce = 4096;
constexpr std::int64_t kMostStepsEach = 10'000;

// Nodes from which no walk ever meets a kept node or the ground: whole components that are eliminated.
Buffer<std::uint8_t> find_lost(const Graph& graph, const std::uint8_t* keep, const double* ground) {
    Buffer<std::uint8_t> lost(graph.nodes, 0);
    Buffer<Node> unsure;
    for (Node u = 0; u < graph.nodes; ++u) {
        if (keep[u] || (ground && ground[u] > 0)) continue;
        std::int64_t at = graph.start[u];
        while (at < graph.start[u + 1] && !keep[graph.neighbor[at]]) ++at;
        if (at == graph.start[u + 1]) {
            lost[u] = 1;
            unsure.push_back(u);
        }
    }
    Buffer<Node> found;
    const auto each_neighbor = [&](Node u, const auto& visit) {
        for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at) visit(graph.neighbor[at]);
    };
    for (const Node u : unsure) {
        bool reaches = false;
        each_neighbor(u, [&](Node v) { reaches |= !lost[v]; });
        if (!reaches || !lost[u]) continue;
        lost[u] = 0;
        found.push_back(u);
        while (!found.empty()) {
            const Node v = found[found.size() - 1];
            found.resize(found.size() - 1);
            each_neighbor(v, [&](Node x) {
                if (lost[x]) {
                    lost[x] = 0;
                    found.push_back(x);
                }
            });
        }
    }
    return lost;
}

// What a walk needs to know of the graph. The ground is node graph.nodes, and like every kept node it ends a walk.
template <bool Plain>
class Steps {
  public:
    Steps(const Graph& graph, const Kept& kept, const double* ground) : graph_(graph), kept_(kept), ground_(ground) {
        if constexpr (!Plain) {
            sum_.resize(graph.neighbor.size());
            for (Node u = 0; u < graph.nodes; ++u) {
                double sum = 0;
                for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at)
                    sum_[at] = sum += graph.weight_at(at);
            }
        }
    }

    bool ends(Node u) const { return u == graph_.nodes || kept_.row_of[u] >= 0; }

    // One step from u; adds the resistance of the edge taken.
    Node step(Node u, std::uint64_t bits, double& resistance) const {
        const std::int64_t begin = graph_.start[u], end = graph_.start[u + 1];
        if constexpr (Plain) {
            resistance += 1;
            return graph_.neighbor[begin + static_cast<std::int64_t>(below(bits, end - begin))];
        } else {
            const double own = end > begin ? sum_[end - 1] : 0, leak = ground_ ? ground_[u] : 0;
            const double target = uniform(bits) * (own + leak);
            if (target >= own && leak > 0) {
                resistance += 1 / leak;
                return graph_.nodes;
            }
            const double* found = std::upper_bound(sum_.data() + begin, sum_.data() + end, target);
            const std::int64_t at = std::min<std::int64_t>(found - sum_.data(), end - 1);
            resistance += 1 / graph_.weight_at(at);
            return graph_.neighbor[at];
        }
    }

  private:
    const Graph& graph_;
    const Kept& kept_;
    const double* ground_;
    Buffer<double> sum_;  // running sums of the weights within each row
};

// Walks of many edges at once, one step each in turn: the steps do not wait for each other's memory.
template <bool Plain>
class WalkBlock {
  public:
    explicit WalkBlock(const Steps<Plain>& steps) : steps_(steps) {}

    bool full() const { return node_.size() + 2 > kWalksAtOnce; }
    void add(Node u, Node v, double weight, std::uint64_t key) {
        resistance_.push_back(1 / weight);
        for (const Node end : {u, v}) {
            node_.push_back(end);
            key_.push_back(key = mix(key + kGolden));
        }
    }

    // Runs the walks to their ends and calls arrive(a, b, weight) for every edge whose walks end apart.
    template <class Arrive>
    void run(const Arrive& arrive) {
        active_.resize(node_.size());
        length_.resize(node_.size());
        std::fill(length_.begin(), length_.end(), 0.0);
        std::size_t active = 0;
        for (std::uint32_t i = 0; i < node_.size(); ++i) {
            active_[active] = i;
            active += !steps_.ends(node_[i]);
        }
        const std::int64_t most = kMostStepsEach * static_cast<std::int64_t>(node_.size());
        std::int64_t taken = 0;
        while (active > 0) {
            if ((taken += static_cast<std::int64_t>(active)) > most)
                throw std::runtime_error(
                    "terminal walks took over 10000 steps each on average: too few nodes are kept for walks to meet "
                    "them; keep more nodes or use elimination");
            std::size_t still = 0;
            for (std::size_t t = 0; t < active; ++t) {
                const std::uint32_t i = active_[t];
                const Node at = steps_.step(node_[i], mix(key_[i] += kGolden), length_[i]);
                node_[i] = at;
                active_[still] = i;
                still += !steps_.ends(at);
            }
            active = still;
        }
        for (std::size_t e = 0; e < resistance_.size(); ++e) {
            const Node a = node_[2 * e], b = node_[2 * e + 1];
            if (a != b) arrive(a, b, 1 / (length_[2 * e] + resistance_[e] + length_[2 * e + 1]));
        }
        node_.clear();
        key_.clear();
        resistance_.clear();
    }

  private:
    const Steps<Plain>& steps_;
    Buffer<Node> node_;  // two walks for every edge
    Buffer<std::uint64_t> key_;
    Buffer<double> length_, resistance_;
    Buffer<std::uint32_t> active_;
};

// Pieces of about equal numbers of edges, the same for every number of threads.
Buffer<Node> cut_rows(const Graph& graph) {
    constexpr std::int64_t kEdgesEach = 1 << 16;
    Buffer<Node> cut;
    cut.push_back(0);
    for (Node u = 0; u < graph.nodes; ++u)
        if (graph.start[u + 1] - graph.start[cut[cut.size() - 1]] >= kEdgesEach) cut.push_back(u + 1);
    if (cut[cut.size() - 1] < graph.nodes) cut.push_back(graph.nodes);
    return cut;
}

template <bool Plain>
Buffer<Edge> walk_all(const WalkTask& task, const Kept& kept) {
    const Graph& graph = task.graph;
    const Buffer<std::uint8_t> lost = find_lost(graph, task.keep, task.ground);
    const Steps<Plain> steps(graph, kept, task.ground);
    const Node ground_row = kept.rows();
    const Buffer<Node> cut = cut_rows(graph);
    std::vector<Buffer<Edge>> logs(cut.size() - 1);

    parallel_for(static_cast<std::int64_t>(logs.size()), task.threads, [&](std::int64_t piece) {
        Buffer<Edge>& log = logs[piece];
        WalkBlock<Plain> block(steps);
        const auto arrive = [&](Node a, Node b, double weight) {
            const Node x = a == graph.nodes ? ground_row : kept.row_of[a];
            const Node y = b == graph.nodes ? ground_row : kept.row_of[b];
            log.push_back({std::min(x, y), std::max(x, y), std::max(weight, DBL_MIN)});
        };
        std::int64_t g = std::upper_bound(graph.first.begin(), graph.first.end(), cut[piece]) - graph.first.begin() - 1;
        std::uint64_t seed = 0;
        Node first = 0, behind = 0;
        for (Node u = cut[piece]; u < cut[piece + 1]; ++u) {
            while (u >= behind) {
                first = graph.first[g];
                behind = graph.first[g + 1];
                seed = derive(derive_seed(task.seed, 0, static_cast<std::uint64_t>(g++)), Purpose::walk, 0);
            }
            const double leak = task.ground ? task.ground[u] : 0;
            if (task.keep[u]) {
                if (leak > 0) log.push_back({kept.row_of[u], ground_row, leak});
                continue;
            }
            if (lost[u]) continue;
            const auto from = static_cast<std::uint64_t>(u - first) << 32;
            for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at) {
                const Node v = graph.neighbor[at];
                if (v < u && !task.keep[v]) continue;  // counted at its other end
                if (block.full()) block.run(arrive);
                block.add(u, v, graph.weight_at(at), mix(seed ^ (from | static_cast<std::uint64_t>(v - first))));
            }
            if (leak > 0) {
                if (block.full()) block.run(arrive);
                block.add(u, graph.nodes, leak, mix(seed ^ (from | 0xFFFFFFFF)));
            }
        }
        block.run(arrive);
    });

    Buffer<Edge> log;
    std::size_t size = 0;
    for (const Buffer<Edge>& part : logs) size += part.size();
    log.reserve(size);
    for (Buffer<Edge>& part : logs) {
        std::copy(part.begin(), part.end(), log.data() + log.size());
        log.resize(log.size() + part.size());
        part.free();
    }
    return log;
}

}  // namespace

View walk_schur(const WalkTask& task) {
    Kept kept(task.graph.nodes);
    for (Node u = 0; u < task.graph.nodes; ++u) kept.keep(u, task.keep[u]);
    const bool plain = task.graph.weight.empty() && !task.ground;
    Buffer<Edge> log = plain ? walk_all<true>(task, kept) : walk_all<false>(task, kept);
    return finish(assemble(task.graph, kept, kept.rows() + (task.ground != nullptr), log), kept, task.output);
}

}  // namespace rlap
