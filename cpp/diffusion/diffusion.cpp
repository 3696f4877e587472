#include "diffusion/diffusion.hpp"

#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "base/parallel.hpp"
#include "diffusion/polynomial.hpp"
#include "diffusion/resolvent.hpp"
#include "diffusion/threshold.hpp"

namespace rlap {
namespace {

[[noreturn]] void refuse(const std::ostringstream& message) { throw std::invalid_argument(message.str()); }

// Row i of S is the column f(P) e_i of P = D^-1 A, because f(A D^-1) is its transpose.

Buffer<double> degrees(const Graph& graph, double self_loop) {
    Buffer<double> degree(graph.nodes);
    for (Node u = 0; u < graph.nodes; ++u) {
        degree[u] = self_loop;
        for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at) degree[u] += graph.weight_at(at);
    }
    return degree;
}

// The columns of every block, in single precision where that proves to be enough.
template <class Out, class Recipe>
class Maker {
  public:
    Maker(const Graph& graph, const Locality& locality, const Recipe& recipe, const Scaling& scaling, double tol)
        : graph_(graph), locality_(locality), recipe_(recipe), scaling_(scaling), tol_(tol) {
        bool any = false;
        for (std::int64_t g = 0; g < graph.graphs(); ++g) any |= is_narrow(g);
        if (any) single_.emplace(graph, locality, recipe.total.data(), recipe.self_loop);
    }

    // What one thread needs.
    struct Room {
        std::optional<ColumnBlock<float>> single;
        std::optional<ColumnBlock<double>> wide;
        Threshold<Out> threshold;
    };
    Room room(double eps) const { return {{}, {}, {locality_, scaling_, eps}}; }

    Piece<Out> make(const Block& block, Room& room) {
        // Entries are rounded, and scaled when symmetric, on their way out.
        const bool narrow = is_narrow(block.graph);
        const double rounding = narrow ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
        const double tol = tol_ - 2 * recipe_.most(block.graph) * rounding;
        const bool single = narrow && scaling_.is_narrow(block.graph) &&
                            recipe_.suits(block.graph, single_->rounding[block.graph], tol);
        if (!single || !make_some(*single_, room.single, block, 0, tol, room.threshold)) {
            for (Node first = block.first; first < block.last; first += kLanes<double>) {
                Block part = block;
                part.first = first;
                part.last = std::min(first + kLanes<double>, block.last);
                if (tol <= 0 || !make_some(wide(), room.wide, part, first - block.first, tol, room.threshold))
                    refuse(std::ostringstream() << Recipe::kRefusal << " (got " << tol_ << ")");
            }
        }
        return room.threshold.take();
    }

  private:
    template <class Real>
    bool make_some(const Averages<Real>& averages, std::optional<ColumnBlock<Real>>& columns, const Block& block,
                   Node lane, double tol, Threshold<Out>& threshold) const {
        if (!columns) columns.emplace(averages, graph_.nodes);
        if (!recipe_.make(*columns, block, locality_, tol)) return false;
        threshold.add(*columns, lane, is_narrow(block.graph));
        return true;
    }

    // Whether values are given out in single precision, or as if they were.
    bool is_narrow(std::int64_t g) const { return std::is_same_v<Out, float> || recipe_.is_narrow(g); }

    const Averages<double>& wide() {
        std::call_once(once_, [&] { wide_.emplace(graph_, locality_, recipe_.total.data(), recipe_.self_loop); });
        return *wide_;
    }

    const Graph& graph_;
    const Locality& locality_;
    const Recipe& recipe_;
    const Scaling& scaling_;
    double tol_;
    std::optional<Averages<float>> single_;
    std::optional<Averages<double>> wide_;
    std::once_flag once_;
};

// Puts the pieces, row by row, where they belong, and frees them on the way.
template <class Out>
Rows<Out> join(std::vector<Piece<Out>>& pieces, const std::vector<Block>& blocks, const Locality& locality,
               int threads) {
    Rows<Out> rows;
    const std::size_t nodes = locality.node.size();
    rows.start = Buffer<std::int64_t>(nodes + 1, 0);
    for (std::size_t b = 0; b < blocks.size(); ++b)
        for (Node l = blocks[b].first; l < blocks[b].last; ++l)
            rows.start[locality.node[l] + 1] = pieces[b].count[l - blocks[b].first];
    for (std::size_t u = 0; u < nodes; ++u) rows.start[u + 1] += rows.start[u];
    rows.column.resize(rows.start[nodes]);
    rows.value.resize(rows.start[nodes]);
    parallel_for(static_cast<std::int64_t>(blocks.size()), threads, [&](std::int64_t b) {
        std::int64_t from = 0;
        for (Node l = blocks[b].first; l < blocks[b].last; ++l) {
            const std::int64_t count = pieces[b].count[l - blocks[b].first], to = rows.start[locality.node[l]];
            std::copy_n(pieces[b].column.begin() + from, count, rows.column.begin() + to);
            std::copy_n(pieces[b].value.begin() + from, count, rows.value.begin() + to);
            from += count;
        }
        pieces[b] = {};
    });
    return rows;
}

// Adds the transpose, but not its diagonal, to a matrix that has one entry of every pair.
template <class Out>
Rows<Out> mirror(const Rows<Out>& half) {
    const auto nodes = static_cast<Node>(half.start.size() - 1);
    Rows<Out> rows;
    rows.start = Buffer<std::int64_t>(nodes + 1, 0);
    Poll poll;
    const auto size_of = [&](Node u) { return half.start[u + 1] - half.start[u] + 1; };
    for (Node u = 0; u < nodes; poll(size_of(u++)))
        for (std::int64_t at = half.start[u]; at < half.start[u + 1]; ++at) {
            ++rows.start[u + 1];
            if (half.column[at] != u) ++rows.start[half.column[at] + 1];
        }
    for (Node u = 0; u < nodes; ++u) rows.start[u + 1] += rows.start[u];
    rows.column.resize(rows.start[nodes]);
    rows.value.resize(rows.start[nodes]);
    // The transpose goes to the end of each row, sorted as the rows come by; then it is merged with what is there.
    Buffer<std::int64_t> next(nodes);
    for (Node u = 0; u < nodes; ++u) next[u] = rows.start[u + 1];
    for (Node u = nodes - 1; u >= 0; poll(size_of(u--)))
        for (std::int64_t at = half.start[u]; at < half.start[u + 1]; ++at) {
            const Node v = half.column[at];
            if (v == u) continue;
            rows.column[--next[v]] = u;
            rows.value[next[v]] = half.value[at];
        }
    for (Node u = 0; u < nodes; poll(size_of(u++))) {
        std::int64_t out = rows.start[u], other = next[u];
        for (std::int64_t at = half.start[u]; at < half.start[u + 1]; ++at, ++out) {
            for (; other < rows.start[u + 1] && rows.column[other] < half.column[at]; ++other, ++out) {
                rows.column[out] = rows.column[other];
                rows.value[out] = rows.value[other];
            }
            rows.column[out] = half.column[at];
            rows.value[out] = half.value[at];
        }
    }
    return rows;
}

template <class Out, class Recipe>
Rows<Out> collect(const Graph& graph, const Recipe& recipe, const Diffusion& diffusion) {
    const Locality locality(graph);
    Scaling scaling;
    for (std::int64_t g = 0; g < graph.graphs() && diffusion.symmetric; ++g) {
        scaling.narrow.push_back(true);
        for (Node l = graph.first[g]; l < graph.first[g + 1]; ++l) scaling.add(recipe.total[locality.node[l]]);
    }
    const std::vector<Block> blocks = cut_blocks(graph, locality, kLanes<float>);
    std::vector<Piece<Out>> pieces(blocks.size());
    Maker<Out, Recipe> maker(graph, locality, recipe, scaling, diffusion.tol);
    std::atomic<std::size_t> next{0};
    parallel_for(diffusion.threads, diffusion.threads, [&](std::int64_t) {
        auto room = maker.room(diffusion.eps);
        for (std::size_t b; (b = next.fetch_add(1)) < blocks.size(); stop_if_told())
            pieces[b] = maker.make(blocks[b], room);
    });
    Rows<Out> rows = join(pieces, blocks, locality, diffusion.threads);
    return diffusion.symmetric ? mirror(rows) : std::move(rows);
}

// Of every graph: no entry is larger than the largest scale / ground.
bool fits_single(const GroundedTask& task, const Diffusion& diffusion, std::int64_t g) {
    double most = 1;
    for (Node u = task.graph.first[g]; u < task.graph.first[g + 1]; ++u)
        if (task.ground[u] > 0) most = std::max(most, task.scale[u] / task.ground[u]);
    return task.single * most <= diffusion.tol;
}

// (I - A / total)^-1 times the bias.
template <class Out>
Rows<Out> solve(const Graph& graph, Resolvent& recipe, const Diffusion& diffusion) {
    const Buffer<double> degree = degrees(graph, recipe.self_loop);
    recipe.graph.resize(graph.graphs());
    for (std::int64_t g = 0; g < graph.graphs(); ++g) {
        Resolvent::Graph& known = recipe.graph[g];
        double least = std::numeric_limits<double>::infinity(), most = 0;
        for (Node u = graph.first[g]; u < graph.first[g + 1]; ++u) {
            if (recipe.total[u] <= 0) continue;
            least = std::min(least, recipe.total[u]);
            most = std::max(most, recipe.total[u]);
            known.contraction = std::max(known.contraction, degree[u] / recipe.total[u]);
        }
        if (most > 0) known.spread = std::sqrt(most) / std::sqrt(least);  // the quotient might not fit
        for (Node u = graph.first[g]; u < graph.first[g + 1]; ++u) {
            known.largest = std::max(known.largest, recipe.bias[u]);
            const double share = recipe.total[u] > 0 ? degree[u] / recipe.total[u] : 0;
            known.most = std::max(known.most, recipe.bias[u] / (1 - share));
        }
    }
    return collect<Out>(graph, recipe, diffusion);
}

}  // namespace

template <class Out>
Rows<Out> diffuse_ppr(const Graph& graph, double alpha, const Diffusion& diffusion) {
    const double self_loop = diffusion.self_loops ? 1 : 0;
    Resolvent recipe{degrees(graph, self_loop), Buffer<double>(graph.nodes, alpha), self_loop, {}};
    for (Node u = 0; u < graph.nodes; ++u) {
        const double degree = std::exchange(recipe.total[u], recipe.total[u] / (1 - alpha));
        if (!std::isfinite(recipe.total[u]))
            refuse(
                std::ostringstream() << "edge_weight must have a finite sum at every node, divided by 1 - alpha (got "
                                     << degree << " at node " << u << ")");
    }
    return solve<Out>(graph, recipe, diffusion);
}

bool fits_single(const GroundedTask& task, const Diffusion& diffusion) {
    for (std::int64_t g = 0; g < task.graph.graphs(); ++g)
        if (!fits_single(task, diffusion, g)) return false;
    return true;
}

template <class Out>
Rows<Out> diffuse_grounded(const GroundedTask& task, const Diffusion& diffusion) {
    const auto& [graph, ground, scale, single] = task;
    Resolvent recipe{degrees(graph, 0), Buffer<double>(graph.nodes, 0), 0, {}};
    for (std::int64_t g = 0; g < graph.graphs(); ++g) {
        recipe.graph.push_back({});
        recipe.graph.back().narrow = fits_single(task, diffusion, g);
    }
    for (Node u = 0; u < graph.nodes; ++u) {
        const double degree = recipe.total[u], total = degree + ground[u];
        if (total <= 0) continue;
        if (!std::isfinite(total))
            refuse(std::ostringstream() << "edge_weight and ground must have a finite sum at every node (got " << degree
                                        << " and " << ground[u] << " at node " << u << ")");
        if (degree >= total)
            refuse(std::ostringstream()
                   << "ground must be positive at every node that has an edge and count beside it (got " << ground[u]
                   << " beside " << degree << " at node " << u << ")");
        recipe.total[u] = total;
        recipe.bias[u] = scale[u] / total;
    }
    return solve<Out>(graph, recipe, diffusion);
}

template <class Out>
Rows<Out> diffuse_series(const Graph& graph, const std::vector<double>& coefficient, double tail,
                         const Diffusion& diffusion) {
    const double self_loop = diffusion.self_loops ? 1 : 0;
    return collect<Out>(graph, Polynomial{degrees(graph, self_loop), self_loop, coefficient, tail}, diffusion);
}

template Rows<float> diffuse_ppr(const Graph&, double, const Diffusion&);
template Rows<double> diffuse_ppr(const Graph&, double, const Diffusion&);
template Rows<float> diffuse_grounded(const GroundedTask&, const Diffusion&);
template Rows<double> diffuse_grounded(const GroundedTask&, const Diffusion&);
template Rows<float> diffuse_series(const Graph&, const std::vector<double>&, double, const Diffusion&);
template Rows<double> diffuse_series(const Graph&, const std::vector<double>&, double, const Diffusion&);

}  // namespace rlap
