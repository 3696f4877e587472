#include "diffusion/pagerank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/interrupt.hpp"

namespace rlap {
namespace {

// One graph of a batch. All isolated nodes have the same value y, what jumps bring: of n nodes, m of them isolated,
// y = (alpha m y + 1 - alpha) / n. As all others get y from jumps, too, PageRank solves x = alpha A D^-1 x + y.
class Surfer {
  public:
    Surfer(const Graph& graph, const Buffer<double>& degree, const Buffer<double>& share, std::int64_t g, double alpha)
        : graph_(graph), share_(share), first_(graph.first[g]), last_(graph.first[g + 1]), alpha_(alpha) {
        double isolated = 0, least = 0, most = 0;
        for (Node u = first_; u < last_; ++u) {
            if (degree[u] == 0) {
                ++isolated;
                continue;
            }
            least = least == 0 ? degree[u] : std::min(least, degree[u]);
            most = std::max(most, degree[u]);
        }
        const double nodes = last_ - first_;
        jumps_ = (1 - alpha) / (nodes - alpha * isolated);
        log_spread_ = (std::log(nodes) + (most > 0 ? std::log(most) - std::log(least) : 0)) / 2;
    }

    // Chebyshev's iteration: A D^-1 is similar to a symmetric matrix with a spectrum in [-1, 1]. Its columns sum to 1
    // at most, so that the errors sum to at most what the residuals sum to, divided by 1 - alpha.
    void solve(double tol, double* result) const {
        const double c = std::max(alpha_, kLeastInterval), goal = (1 - alpha_) * tol;
        // In the norm of that symmetric matrix the residual falls as 1 / cosh(k acosh(1 / c)), whatever the graph. So
        // many steps reach the goal, or else rounding is in the way.
        const double log_goal = std::log(1 - alpha_) + std::log(tol);  // the goal itself may be 0
        const double last = (std::log(2) + log_spread_ - log_goal) / std::acosh(1 / c) + 2;
        std::vector<double> before(last_ - first_, 0.0), now(last_ - first_, jumps_), fresh(last_ - first_);
        double ratio = c;  // of consecutive Chebyshev polynomials at 1 / c
        double left = follow(now, fresh);
        double steps = 0;
        for (; !(left <= goal) && steps < std::min(last, kMostSteps); ++steps) {
            ratio = 1 / (2 / c - ratio);
            const double mix = 2 / c * ratio;
            for (std::size_t u = 0; u < now.size(); ++u) before[u] = mix * fresh[u] + (1 - mix) * before[u];
            before.swap(now);
            left = follow(now, fresh);
        }
        if (!(left <= goal)) {  // keep what is nearer
            before = fresh;
            if (!(repeat(goal, steps, now, fresh) < left) && std::isfinite(left)) fresh.swap(before);
        }
        std::copy(fresh.begin(), fresh.end(), result + first_);
    }

  private:
    // Simply follows edges, from the beginning. The residuals fall by alpha a step, and no rounding error grows, as
    // that of the faster iteration does where degrees differ by many orders of magnitude. Returns the last residual.
    double repeat(double goal, double steps, std::vector<double>& now, std::vector<double>& fresh) const {
        std::fill(now.begin(), now.end(), jumps_);
        double left = follow(now, fresh);
        for (double before = std::numeric_limits<double>::infinity(); left > goal && left < before; ++steps) {
            if (steps >= kMostSteps)
                throw std::invalid_argument("alpha must be smaller, or tol larger: ten million steps do not suffice");
            now.swap(fresh);
            before = std::exchange(left, follow(now, fresh));
        }
        return left;
    }

    static constexpr double kMostSteps = 1e7;
    static constexpr double kLeastInterval = 0.01;  // whose inverse is not too large, when alpha is tiny

    // fresh = alpha A D^-1 now + y; returns the sum of all changes.
    double follow(const std::vector<double>& now, std::vector<double>& fresh) const {
        double change = 0;
        for (Node u = first_; u < last_; ++u) {
            double sum = 0;
            poll_(graph_.degree(u) + 1);
            for (std::int64_t at = graph_.start[u]; at < graph_.start[u + 1]; ++at)
                sum += share_[at] * now[graph_.neighbor[at] - first_];
            fresh[u - first_] = alpha_ * sum + jumps_;
            change += std::abs(fresh[u - first_] - now[u - first_]);
        }
        return change;
    }

    const Graph& graph_;
    const Buffer<double>& share_;
    Node first_, last_;
    double alpha_, jumps_, log_spread_;
    mutable Poll poll_;
};

}  // namespace

Buffer<double> degrees(const Graph& graph) {
    Buffer<double> degree(graph.nodes, 0.0);
    for (Node u = 0; u < graph.nodes; ++u)
        for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at) degree[u] += graph.weight_at(at);
    return degree;
}

Buffer<double> pagerank(const Graph& graph, double alpha, double tol) {
    const Buffer<double> degree = degrees(graph);
    // The part of a neighbour's value that an edge brings. A quotient of weights, so that their unit does not matter.
    Buffer<double> share(graph.neighbor.size());
    for (std::size_t at = 0; at < share.size(); ++at) share[at] = graph.weight_at(at) / degree[graph.neighbor[at]];
    Buffer<double> result(graph.nodes);
    for (std::int64_t g = 0; g < graph.graphs(); ++g)
        if (graph.first[g] < graph.first[g + 1]) Surfer(graph, degree, share, g, alpha).solve(tol, result.data());
    return result;
}

}  // namespace rlap
