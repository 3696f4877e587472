#include "diffusion/averages.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/dispatch.hpp"

namespace rlap {
namespace {

constexpr int kChains = 4;         // sums that run side by side, so that additions do not wait for each other
constexpr std::int64_t kRun = 32;  // edges summed before the sum goes to double precision

template <class Real, std::size_t Bytes>
struct Line {
    static constexpr int kVectors = kLine / Bytes;
    static constexpr int kQuads = kLine / 16;
    using Vector [[gnu::vector_size(Bytes), gnu::may_alias]] = Real;
    using Quad [[gnu::vector_size(16), gnu::may_alias]] = Real;
    using WideQuad [[gnu::vector_size(16 * sizeof(double) / sizeof(Real))]] = double;

    static const Vector* at(const Real* values, Node row) {
        return reinterpret_cast<const Vector*>(values + static_cast<std::size_t>(row) * kLanes<Real>);
    }
    static Vector* at(Real* values, Node row) {
        return reinterpret_cast<Vector*>(values + static_cast<std::size_t>(row) * kLanes<Real>);
    }
};

// At most kRun edges: each chain has kRun / kChains terms, and three more may come at the end.
template <class Real, std::size_t Bytes, bool Weighted>
RLAP_INLINE void add_run(const Node* neighbor, const Real* weight, std::int64_t count, const Real* now,
                         typename Line<Real, Bytes>::Vector* sum) {
    using Row = Line<Real, Bytes>;
    typename Row::Vector chain[kChains][Row::kVectors] = {};
    std::int64_t e = 0;
    for (; e + kChains <= count; e += kChains)
        for (int c = 0; c < kChains; ++c) {
            const auto* row = Row::at(now, neighbor[e + c]);
            for (int v = 0; v < Row::kVectors; ++v) chain[c][v] += Weighted ? weight[e + c] * row[v] : row[v];
        }
    for (; e < count; ++e) {
        const auto* row = Row::at(now, neighbor[e]);
        for (int v = 0; v < Row::kVectors; ++v) chain[0][v] += Weighted ? weight[e] * row[v] : row[v];
    }
    for (int v = 0; v < Row::kVectors; ++v) sum[v] = (chain[0][v] + chain[1][v]) + (chain[2][v] + chain[3][v]);
}

template <bool Weighted, bool Checked>
struct RunPass {
    template <std::size_t Bytes, class Real>
    RLAP_INLINE static Largest<Real> run(const Averages<Real>& averages, const Pass<Real>& pass) {
        using Row = Line<Real, Bytes>;
        using Vector = typename Row::Vector;
        Vector residual[Row::kVectors] = {}, average[Row::kVectors] = {};
        alignas(kLine) Real extra[kLanes<Real>];
        for (Node i = 0; i < pass.count; ++i) {
            const Node row = pass.rows[i];
            const std::int64_t begin = averages.start[row], count = averages.start[row + 1] - begin;
            const Node* neighbor = averages.neighbor.data() + begin;
            const Real* weight = Weighted ? averages.weight.data() + begin : nullptr;
            Vector sum[Row::kVectors];
            if (count <= kRun) {
                add_run<Real, Bytes, Weighted>(neighbor, weight, count, pass.now, sum);
            } else {
                typename Row::WideQuad total[Row::kQuads] = {};
                typename Row::Quad quad[Row::kQuads];
                for (std::int64_t e = 0; e < count; e += kRun) {
                    add_run<Real, Bytes, Weighted>(neighbor + e, weight + (Weighted ? e : 0), std::min(kRun, count - e),
                                                   pass.now, sum);
                    std::memcpy(quad, sum, kLine);
                    for (int q = 0; q < Row::kQuads; ++q)
                        total[q] += __builtin_convertvector(quad[q], typename Row::WideQuad);
                }
                for (int q = 0; q < Row::kQuads; ++q) quad[q] = __builtin_convertvector(total[q], typename Row::Quad);
                std::memcpy(sum, quad, kLine);
            }
            if (pass.bias) {
                std::fill_n(extra, kLanes<Real>, Real{0});
                extra[row - pass.first_source] = pass.bias[row - pass.first_source];
            }
            const Vector* now = Row::at(pass.now, row);
            Vector* next = Row::at(pass.next, row);
            const Real scale = averages.scale[row];
            for (int v = 0; v < Row::kVectors; ++v) {
                Vector value = scale * sum[v];
                if (Checked) {
                    const Vector size = value < 0 ? -value : value;
                    average[v] = average[v] < size ? size : average[v];
                }
                if (pass.bias) value += Row::at(extra, 0)[v];
                if (Checked) {
                    const Vector off = value - now[v], size = off < 0 ? -off : off;
                    residual[v] = residual[v] < size ? size : residual[v];
                }
                next[v] = pass.mix * value + pass.keep * next[v];
            }
        }
        Largest<Real> largest;
        if (Checked)
            for (int v = 0; v < Row::kVectors; ++v)
                for (std::size_t l = 0; l < Bytes / sizeof(Real); ++l) {
                    largest.residual = std::max(largest.residual, residual[v][l]);
                    largest.average = std::max(largest.average, average[v][l]);
                }
        return largest;
    }
};

template <bool Checked, class Real>
Largest<Real> run_rows(const Averages<Real>& averages, const Pass<Real>& pass) {
    return averages.weight.empty() ? run_widest<RunPass<false, Checked>>(averages, pass)
                                   : run_widest<RunPass<true, Checked>>(averages, pass);
}

}  // namespace

template <class Real>
Averages<Real>::Averages(const Graph& graph, const Locality& locality, const double* total, double self_loop)
    : start(graph.nodes + 1), scale(graph.nodes), rows(graph.nodes) {
    const bool weighted = !graph.weight.empty();
    const std::size_t entries = graph.neighbor.size() + (self_loop > 0 ? graph.nodes : 0);
    neighbor.reserve(entries);
    weight.reserve(weighted ? entries : 0);
    start[0] = 0;
    for (std::int64_t g = 0; g < graph.graphs(); ++g) {
        std::int64_t longest = 0;
        for (Node l = graph.first[g]; l < graph.first[g + 1]; ++l) {
            const Node u = locality.node[l];
            int power = 0;
            const double part = weighted ? std::frexp(total[u], &power) : total[u];
            rows[l] = l;
            scale[l] = static_cast<Real>(part > 0 ? 1 / part : 0.0);
            for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at) {
                neighbor.push_back(locality.label[graph.neighbor[at]]);
                if (weighted) weight.push_back(static_cast<Real>(std::ldexp(graph.weight[at], -power)));
            }
            if (self_loop > 0) {
                neighbor.push_back(l);
                if (weighted) weight.push_back(static_cast<Real>(std::ldexp(self_loop, -power)));
            }
            start[l + 1] = static_cast<std::int64_t>(neighbor.size());
            longest = std::max(longest, start[l + 1] - start[l]);
        }
        // In a run: kRun / kChains + 3 additions in a chain, 2 to join the chains. The weight is rounded, its product,
        // the scale, its product, the bias, its sum and the way back from double precision: 20 in all.
        rounding.push_back(20 * (std::numeric_limits<Real>::epsilon() / 2) +
                           (static_cast<double>(longest) / kRun + 2) * std::numeric_limits<double>::epsilon());
    }
}

template <class Real>
void run_pass(const Averages<Real>& averages, const Pass<Real>& pass) {
    run_rows<false>(averages, pass);
}

template <class Real>
Largest<Real> run_checked_pass(const Averages<Real>& averages, const Pass<Real>& pass) {
    return run_rows<true>(averages, pass);
}

template struct Averages<float>;
template struct Averages<double>;
template void run_pass(const Averages<float>&, const Pass<float>&);
template void run_pass(const Averages<double>&, const Pass<double>&);
template Largest<float> run_checked_pass(const Averages<float>&, const Pass<float>&);
template Largest<double> run_checked_pass(const Averages<double>&, const Pass<double>&);

}  // namespace rlap
