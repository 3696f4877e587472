#include "schur/terminal.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "base/random.hpp"
#include "base/thread_pool.hpp"

namespace rlap {
namespace {

// Where a walk stands: an eliminated node, by its number among them, or ~row for a kept node, where the walk ends. The
// ground counts as a row behind the last.
using Place = Node;

// The rows of the eliminated nodes, with places instead of nodes: all that a walk reads.
struct Outside {
    Buffer<Node> node;           // by number
    Buffer<std::int64_t> start;  // row f is to[start[f]] .. to[start[f + 1] - 1]
    Buffer<Place> to;
    Buffer<double> weight, sum;  // and its sum up to here within the row; both empty unless weighted
    Buffer<double> leak;         // weights to the ground; empty without a ground
    Buffer<std::uint8_t> lost;   // no walk from here ever ends: a component without a kept node

    bool weighted = false;  // some step is not uniform

    Outside(const WalkTask& task, const Kept& kept, ThreadPool* pool) {
        const Graph& graph = task.graph;
        Buffer<Place> place(graph.nodes);
        std::int64_t edges = 0;
        node.reserve(graph.nodes - kept.rows());
        start.reserve(graph.nodes - kept.rows() + 1);
        start.push_back(0);
        for (Node u = 0; u < graph.nodes; ++u) {
            place[u] = task.keep[u] ? ~kept.row_of[u] : static_cast<Place>(node.size());
            if (task.keep[u]) continue;
            node.push_back(u);
            start.push_back(edges += graph.degree(u));
        }
        to.resize(edges);
        weighted = !graph.weight.empty() || task.ground;
        weight.resize(weighted ? edges : 0);
        sum.resize(weighted ? edges : 0);
        leak.resize(task.ground ? node.size() : 0);
        lost.resize(node.size());
        if (pool) {
            const Buffer<Place> cut = cut_rows(pool->size());
            pool->each(static_cast<std::int64_t>(cut.size()) - 1, [&](int, std::int64_t piece) {
                for (Place f = cut[piece]; f < cut[piece + 1]; ++f) read_row(task, place, f);
            });
        } else {
            Poll poll;
            for (Place f = 0; f < size(); ++f) {
                poll(start[f + 1] - start[f] + 1);
                read_row(task, place, f);
            }
        }
        find_lost();
    }

    // Pieces of about equal numbers of edges, several for each thread.
    Buffer<Place> cut_rows(int threads) const {
        constexpr std::int64_t kMostEdges = 1 << 16, kPiecesEach = 8;
        const std::int64_t each = std::min(kMostEdges, start[size()] / (kPiecesEach * threads) + 1);
        Buffer<Place> cut;
        cut.push_back(0);
        for (Place f = 0; f < size(); ++f)
            if (start[f + 1] - start[cut[cut.size() - 1]] >= each) cut.push_back(f + 1);
        if (cut[cut.size() - 1] < size()) cut.push_back(size());
        return cut;
    }

    Place size() const { return static_cast<Place>(node.size()); }

  private:
    void read_row(const WalkTask& task, const Buffer<Place>& place, Place f) {
        const Graph& graph = task.graph;
        const Node u = node[f];
        const std::int64_t begin = graph.start[u], size = graph.degree(u), out = start[f];
        Place ends = 0;  // its sign tells whether some neighbour ends a walk
        for (std::int64_t i = 0; i < size; ++i) ends |= to[out + i] = place[graph.neighbor[begin + i]];
        if (weighted) {
            double total = 0;
            for (std::int64_t i = 0; i < size; ++i) {
                weight[out + i] = graph.weight_at(begin + i);
                sum[out + i] = total += weight[out + i];
            }
        }
        if (task.ground) leak[f] = task.ground[u];
        lost[f] = ends >= 0 && !(task.ground && task.ground[u] > 0);
    }

    // Until now, lost are the nodes whose walks cannot end with the next step: take out those that reach another.
    void find_lost() {
        if (std::none_of(lost.begin(), lost.end(), [](std::uint8_t one) { return one; })) return;
        Buffer<Place> found;
        for (Place f = 0; f < size(); ++f)
            if (!lost[f]) found.push_back(f);
        Poll poll;
        while (!found.empty()) {
            const Place f = found[found.size() - 1];
            poll(start[f + 1] - start[f] + 1);
            found.resize(found.size() - 1);
            for (std::int64_t at = start[f]; at < start[f + 1]; ++at) {
                if (to[at] < 0 || !lost[to[at]]) continue;
                lost[to[at]] = 0;
                found.push_back(to[at]);
            }
        }
    }
};

// Walks of many edges at once, one step each in turn: the steps do not wait for each other's memory.
template <bool Plain>
class WalkBlock {
  public:
    WalkBlock(const Outside& outside, Place ground) : outside_(outside), ground_(ground) {}

    bool full() const { return edges_ == kEdgesAtOnce; }
    // Adds an edge if it counts, without a branch.
    void add(Place u, Place v, double weight, std::uint64_t key, bool counts = true) {
        resistance_[edges_] = Plain ? 1 : 1 / weight;
        walk_[2 * edges_] = {key, 0.0, 0, u};
        walk_[2 * edges_ + 1] = {~key, 0.0, 0, v};
        edges_ += counts;
    }

    // Runs the walks to their ends and calls arrive(row, row, weight) for every edge whose walks end apart.
    template <class Arrive>
    void run(const Arrive& arrive) {
        std::size_t active = 0;
        for (std::uint32_t i = 0; i < 2 * edges_; ++i) {
            active_[active] = i;
            active += walk_[i].place >= 0;
        }
        const auto most = kMostStepsEach * 2 * static_cast<std::int64_t>(edges_);
        std::int64_t taken = 0;
        while (active > 0) {
            poll_(static_cast<std::int64_t>(active));
            if ((taken += static_cast<std::int64_t>(active)) > most)
                throw std::runtime_error(
                    "terminal walks took over 10000 steps each on average: too few nodes are kept for walks to meet "
                    "them; keep more nodes or use elimination");
            for (std::size_t t = 0; t < active; ++t) choose(walk_[active_[t]]);
            std::size_t still = 0;
            for (std::size_t t = 0; t < active; ++t) {
                const std::uint32_t i = active_[t];
                go(walk_[i]);
                active_[still] = i;
                still += walk_[i].place >= 0;
            }
            active = still;
        }
        for (std::size_t e = 0; e < edges_; ++e) {
            const Walk &from = walk_[2 * e], &to = walk_[2 * e + 1];
            if (from.place != to.place) arrive(~from.place, ~to.place, 1 / (from.length + resistance_[e] + to.length));
        }
        edges_ = 0;
    }

  private:
    static constexpr std::size_t kEdgesAtOnce = 512;
    static constexpr std::int64_t kMostStepsEach = 10'000;
    struct Walk {
        std::uint64_t key;
        double length;  // the resistance of the way so far
        std::int64_t at;
        Place place;
    };

    // Decides where the next step goes, and asks for the memory that tells what is there.
    void choose(Walk& walk) const {
        const std::uint64_t bits = mix(walk.key += kGolden);
        const std::int64_t begin = outside_.start[walk.place], end = outside_.start[walk.place + 1];
        if constexpr (Plain) {
            walk.at = begin + static_cast<std::int64_t>(below(bits, end - begin));
        } else {
            const double own = end > begin ? outside_.sum[end - 1] : 0;
            const double leak = outside_.leak.empty() ? 0 : outside_.leak[walk.place];
            const double target = uniform(bits) * (own + leak);
            if (target >= own && leak > 0) {
                walk.at = -1;
                return;
            }
            const double* sum = outside_.sum.data();
            walk.at = std::min<std::int64_t>(std::upper_bound(sum + begin, sum + end, target) - sum, end - 1);
        }
        __builtin_prefetch(outside_.to.data() + walk.at);
    }

    void go(Walk& walk) const {
        if constexpr (Plain) {
            walk.length += 1;
            walk.place = outside_.to[walk.at];
        } else if (walk.at < 0) {
            walk.length += 1 / outside_.leak[walk.place];
            walk.place = ground_;
            return;
        } else {
            walk.length += 1 / outside_.weight[walk.at];
            walk.place = outside_.to[walk.at];
        }
        __builtin_prefetch(outside_.start.data() + walk.place);
    }

    const Outside& outside_;
    Place ground_;
    std::size_t edges_ = 0;
    Poll poll_;
    Walk walk_[2 * kEdgesAtOnce];
    double resistance_[kEdgesAtOnce];
    std::uint32_t active_[2 * kEdgesAtOnce];
};

// The streams of the walks that start at a node: by its number within its graph.
class WalkKeys {
  public:
    explicit WalkKeys(const WalkTask& task) : task_(task) {}
    // Nodes must come in rising order.
    std::uint64_t of(Node u) {
        if (u >= behind_) {
            const Buffer<Node>& first = task_.graph.first;
            const auto g = std::upper_bound(first.begin(), first.end(), u) - first.begin() - 1;
            first_ = first[g];
            behind_ = first[g + 1];
            seed_ = derive(derive_seed(task_.seed, 0, static_cast<std::uint64_t>(g)), Purpose::walk, 0);
        }
        return seed_ ^ (static_cast<std::uint64_t>(u - first_) << 32);
    }

  private:
    const WalkTask& task_;
    Node first_ = 0, behind_ = 0;
    std::uint64_t seed_ = 0;
};

// Walks from the eliminated nodes begin .. end - 1 and gives push() every edge that comes of it.
template <bool Plain, class Push>
void walk_piece(const WalkTask& task, const Outside& outside, Node ground_row, Place begin, Place end,
                const Push& push) {
    WalkBlock<Plain> block(outside, ~ground_row);
    WalkKeys keys(task);
    const auto arrive = [&](Node x, Node y, double weight) {
        const Node over = x - y, swap = over & (over >> 31);  // minimum and maximum without a branch
        push(Edge{y + swap, x - swap, positive(weight)});
    };
    for (Place f = begin; f < end; ++f) {
        if (outside.lost[f]) continue;
        std::uint64_t key = keys.of(outside.node[f]);
        for (std::int64_t at = outside.start[f]; at < outside.start[f + 1]; ++at, ++key) {
            const Place v = outside.to[at];
            if (block.full()) block.run(arrive);
            const bool counts = (v < 0) | (v > f);  // an edge between two eliminated nodes, at the first of them
            block.add(f, v, Plain ? 1.0 : outside.weight[at], mix(key), counts);
        }
        if (!outside.leak.empty() && outside.leak[f] > 0) {
            if (block.full()) block.run(arrive);
            block.add(f, ~ground_row, outside.leak[f], mix(key));
        }
    }
    block.run(arrive);
}

template <bool Plain>
void walk_alone(const WalkTask& task, const Outside& outside, Node ground_row, RowLog& log) {
    walk_piece<Plain>(task, outside, ground_row, 0, outside.size(), [&](const Edge& edge) { log.push(edge); });
}

// The order of the edges in their buckets is that of the nodes, whatever the number of threads.
template <bool Plain>
void walk_together(const WalkTask& task, const Outside& outside, Node ground_row, OwnedLogs& logs, ThreadPool& pool) {
    const Buffer<Place> cut = outside.cut_rows(pool.size());
    const std::size_t pieces = cut.size() - 1, owners = logs.owners();
    std::vector<std::vector<Buffer<Edge>>> parts(pieces);
    pool.each(static_cast<std::int64_t>(pieces), [&](int, std::int64_t piece) {
        parts[piece].resize(owners);
        walk_piece<Plain>(task, outside, ground_row, cut[piece], cut[piece + 1], [&](const Edge& edge) {
            parts[piece][logs.owner(logs.row_bucket(edge.low))].push_back(edge);
        });
    });
    pool.each(static_cast<std::int64_t>(owners), [&](int, std::int64_t owner) {
        for (std::vector<Buffer<Edge>>& part : parts) {
            for (const Edge& edge : part[owner]) logs.of(owner).push(logs.row_bucket(edge.low), edge);
            part[owner].free();
        }
    });
}

}  // namespace

View walk_schur(const WalkTask& task) {
    std::optional<ThreadPool> pool;
    if (task.threads > 1 && static_cast<std::int64_t>(task.graph.neighbor.size()) >= task.least_edges)
        pool.emplace(task.threads);
    Kept kept(task.graph.nodes);
    for (Node u = 0; u < task.graph.nodes; ++u) kept.keep(u, task.keep[u]);
    const Node ground_row = kept.rows();
    OwnedLogs logs(pool ? pool->size() : 1, ground_row);
    {
        const Outside outside(task, kept, pool ? &*pool : nullptr);
        if (pool)
            !outside.weighted ? walk_together<true>(task, outside, ground_row, logs, *pool)
                              : walk_together<false>(task, outside, ground_row, logs, *pool);
        else
            !outside.weighted ? walk_alone<true>(task, outside, ground_row, logs.all()[0])
                              : walk_alone<false>(task, outside, ground_row, logs.all()[0]);
    }
    if (task.ground)
        for (const Node u : kept.node)
            if (task.ground[u] > 0) logs.push_row({kept.row_of[u], ground_row, task.ground[u]});
    return pool ? assemble(task.graph, kept, logs.all(), task.output, *pool)
                : assemble(task.graph, kept, logs.all()[0], task.output);
}

}  // namespace rlap
