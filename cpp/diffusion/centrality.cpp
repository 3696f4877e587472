#include "diffusion/centrality.hpp"

#include <vector>

#include "base/interrupt.hpp"
#include "diffusion/tridiagonal.hpp"
#include "graph/locality.hpp"

namespace rlap {
namespace {

constexpr double kTie = 1e-10;         // relative; eigenvalues this close are taken for equal
constexpr double kResidual = 1e-13;    // relative to the eigenvalue
constexpr std::size_t kSteps = 20000;  // more are not taken; eigenvalues that close have no vectors to tell apart
constexpr std::size_t kBasis = std::size_t{1} << 23;  // numbers that a basis may have to be kept
constexpr int kBoundSteps = 8;

// A component, with nodes numbered by label from its first one.
class Component {
  public:
    Component(const Graph& graph, const Locality& locality, std::size_t c)
        : first_(locality.part[c]), size_(locality.part[c + 1] - first_) {
        start_.push_back(0);
        for (Node l = first_; l < first_ + size_; ++l) {
            const Node u = locality.node[l];
            double degree = 0;
            for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at) {
                neighbor_.push_back(locality.label[graph.neighbor[at]] - first_);
                if (!graph.weight.empty()) weight_.push_back(graph.weight[at]);
                degree += graph.weight_at(at);
            }
            start_.push_back(static_cast<std::int64_t>(neighbor_.size()));
            most_ = std::max(most_, degree);
        }
        if (weight_.empty() || most_ == 0) return;
        // Squares of very large or small weights would not fit. A power of two rounds nothing.
        int power = 0;
        most_ = std::frexp(most_, &power);
        unit_ = std::ldexp(1.0, power);
        for (double& weight : weight_) weight /= unit_;
    }

    Node first() const { return first_; }
    std::size_t size() const { return static_cast<std::size_t>(size_); }

    // y = A x
    void multiply(const std::vector<double>& x, std::vector<double>& y) const {
        weight_.empty() ? multiply<false>(x, y) : multiply<true>(x, y);
    }

    // The largest eigenvalue lies between the extremes of (A x)_u / x_u, for any positive x (Collatz and Wielandt). A
    // few steps of power iteration make these tight enough to leave one or two components of hundreds. The shift keeps
    // bipartite graphs from swinging.
    void bound(double& least, double& most) const {
        std::vector<double> x(size(), 1.0), y(size());
        for (int step = 0;; ++step) {
            multiply(x, y);
            if (step == kBoundSteps) break;
            double largest = 0;
            for (std::size_t u = 0; u < size(); ++u) largest = std::max(largest, y[u] += most_ * x[u]);
            for (std::size_t u = 0; u < size() && largest > 0; ++u) x[u] = y[u] / largest;
        }
        least = most = y[0] / x[0];
        for (std::size_t u = 0; u < size(); ++u) {
            least = std::min(least, y[u] / x[u]);
            most = std::max(most, y[u] / x[u]);
        }
        least *= unit_;
        most *= unit_;
    }

    // The largest eigenvalue and its vector, by Lanczos' method from equal values. Vectors are made orthogonal to the
    // last two alone; what that loses comes back as copies of eigenvalues that have been found (Paige 1972), which do
    // not harm the largest. A basis that is too large to keep is made a second time when its best combination is known.
    double lead(std::vector<double>& vector) const {
        if (size_ == 1) {
            vector = {1.0};
            return 0;
        }
        Tridiagonal small;
        double value = 0;
        std::vector<double> combination, kept;
        std::size_t next_look = 8;
        run([&](double diagonal, double beside, const std::vector<double>& basis) {
            small.push_back(diagonal);
            if (kept.size() + size() <= kBasis) kept.insert(kept.end(), basis.begin(), basis.end());
            const bool last = small.size() == kSteps || beside <= kResidual * std::abs(diagonal);
            if (last || small.size() == next_look) {
                next_look += next_look / 4;
                value = small.largest();
                combination = small.vector(value);
                if (last || beside * combination.back() <= kResidual * value) return false;
            }
            small.link(beside);
            return true;
        });
        vector.assign(size(), 0.0);
        std::size_t k = 0;
        const auto add = [&](const double* basis) {
            for (std::size_t u = 0; u < size(); ++u) vector[u] += combination[k] * basis[u];
            return ++k < combination.size();
        };
        if (kept.size() == combination.size() * size()) {
            while (add(&kept[k * size()])) continue;
        } else {
            run([&](double, double, const std::vector<double>& basis) { return add(basis.data()); });
        }
        double norm = 0;
        for (double& entry : vector) {
            entry = std::abs(entry);  // one sign alone, but for rounding (Perron and Frobenius)
            norm += entry * entry;
        }
        for (double& entry : vector) entry /= std::sqrt(norm);
        return value * unit_;
    }

  private:
    static constexpr std::int64_t kStepsBeside = 4;  // for a node, beside its edges

    // Two sums run side by side, so that additions do not wait for each other.
    template <bool Weighted>
    void multiply(const std::vector<double>& x, std::vector<double>& y) const {
        const auto term = [&](std::int64_t at) { return (Weighted ? weight_[at] : 1.0) * x[neighbor_[at]]; };
        for (Node u = 0; u < size_; ++u) {
            double even = 0, odd = 0;
            std::int64_t at = start_[u];
            poll_(start_[u + 1] - at + kStepsBeside);
            for (; at + 1 < start_[u + 1]; at += 2) {
                even += term(at);
                odd += term(at + 1);
            }
            if (at < start_[u + 1]) even += term(at);
            y[u] = even + odd;
        }
    }

    // Makes the basis of the Krylov space; calls look(diagonal, beside, vector) for each vector until it returns false.
    template <class Look>
    void run(const Look& look) const {
        std::vector<double> before(size(), 0.0), now(size(), 1 / std::sqrt(static_cast<double>(size_))), next(size());
        double beside = 0;
        while (true) {
            multiply(now, next);
            double diagonal = 0, square = 0;
            for (std::size_t u = 0; u < size(); ++u) diagonal += now[u] * (next[u] -= beside * before[u]);
            for (std::size_t u = 0; u < size(); ++u) {
                next[u] -= diagonal * now[u];
                square += next[u] * next[u];
            }
            beside = std::sqrt(square);
            if (!look(diagonal, beside, now)) return;
            for (std::size_t u = 0; u < size(); ++u) next[u] /= beside;
            before.swap(now);
            now.swap(next);
        }
    }

    Node first_, size_;
    double most_ = 0, unit_ = 1;
    Buffer<std::int64_t> start_;
    Buffer<Node> neighbor_;
    Buffer<double> weight_;
    mutable Poll poll_;
};

}  // namespace

Buffer<double> eigenvector_centrality(const Graph& graph) {
    const Locality locality(graph);
    Buffer<double> result(graph.nodes, 0.0);
    std::size_t c = 0;
    for (std::int64_t g = 0; g < graph.graphs(); ++g) {
        struct Candidate {
            Component component;
            double most, value;
            std::vector<double> vector;
        };
        std::vector<Candidate> candidates;
        double best = 0;
        for (; c + 1 < locality.part.size() && locality.part[c] < graph.first[g + 1]; ++c) {
            double least = 0, most = 0;
            Component component(graph, locality, c);
            component.bound(least, most);
            best = std::max(best, least);
            if (most >= best * (1 - kTie)) candidates.push_back({std::move(component), most, 0, {}});
        }
        std::erase_if(candidates, [&](const Candidate& candidate) { return candidate.most < best * (1 - kTie); });
        best = 0;
        for (Candidate& candidate : candidates) {
            candidate.value = candidate.component.lead(candidate.vector);
            best = std::max(best, candidate.value);
        }
        double norm = 0;
        for (const Candidate& candidate : candidates) {
            if (candidate.value < best * (1 - kTie)) continue;
            double sum = 0;  // the projection of ones is the vector times its sum
            for (const double entry : candidate.vector) sum += entry;
            for (std::size_t u = 0; u < candidate.vector.size(); ++u)
                result[locality.node[candidate.component.first() + u]] = sum * candidate.vector[u];
            norm += sum * sum;
        }
        for (Node u = graph.first[g]; u < graph.first[g + 1]; ++u) result[u] /= std::sqrt(norm);
    }
    return result;
}

}  // namespace rlap
