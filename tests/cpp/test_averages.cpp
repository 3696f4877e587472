// The inner loop against sums in double precision, with rows on both sides of every length where it changes its ways.
#include "check.hpp"
#include "diffusion/averages.hpp"
#include "graphs.hpp"

namespace {

using namespace rlap;

// Node 0 has `hub` neighbours, all others few.
Graph wheel(Node hub, bool weighted) {
    auto edges = graphs::ring(hub + 1, 10, 7, weighted);
    std::set<std::pair<Node, Node>> seen;
    for (const auto& edge : edges) seen.insert({std::min(edge.u, edge.v), std::max(edge.u, edge.v)});
    for (Node v = 1; v <= hub; ++v)
        if (seen.insert({0, v}).second) edges.push_back({0, v, weighted ? 1 + v / 3.0 : 1.0});
    return graphs::build(hub + 1, edges);
}

template <class Real>
void passes(Node hub, bool weighted, double self_loop) {
    const Graph graph = wheel(hub, weighted);
    const Locality locality(graph);
    Buffer<double> total(graph.nodes);
    for (Node u = 0; u < graph.nodes; ++u) {
        total[u] = self_loop;
        for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at) total[u] += graph.weight_at(at);
    }
    const Averages<Real> averages(graph, locality, total.data(), self_loop);
    constexpr Node lanes = kLanes<Real>;
    const auto size = static_cast<std::size_t>(graph.nodes) * lanes;
    Stream draws(3);
    std::vector<Real> memory(2 * size + kLine / sizeof(Real));
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    Real* now = reinterpret_cast<Real*>((address + kLine - 1) / kLine * kLine);
    Real* next = now + size;
    for (std::size_t i = 0; i < 2 * size; ++i) now[i] = static_cast<Real>(uniform(draws.next()));
    const std::vector<Real> before(next, next + size);
    Real bias[lanes];
    for (Node l = 0; l < lanes; ++l) bias[l] = static_cast<Real>(l + 1);
    const Real mix = static_cast<Real>(1.25), keep = static_cast<Real>(-0.25);
    const Node sources = std::min<Node>(lanes, graph.nodes);
    const auto first =
        run_checked_pass(averages, Pass<Real>{averages.rows.data(), sources, now, next, mix, keep, bias, 0});
    const auto second = run_checked_pass(
        averages, Pass<Real>{averages.rows.data() + sources, graph.nodes - sources, now, next, mix, keep, nullptr, 0});
    double residual = 0, average = 0;
    for (Node row = 0; row < graph.nodes; ++row) {
        const Node u = locality.node[row];
        for (Node l = 0; l < lanes; ++l) {
            double sum = self_loop * now[row * lanes + l];
            for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at)
                sum += graph.weight_at(at) * now[locality.label[graph.neighbor[at]] * lanes + l];
            const double mean = sum / total[u], value = mean + (row == l && row < sources ? bias[l] : 0);
            const double expected = mix * value + keep * before[row * lanes + l];
            CHECK(std::abs(next[row * lanes + l] - expected) <= averages.rounding[0] * (mix * value + 1));
            residual = std::max(residual, std::abs(value - now[row * lanes + l]));
            average = std::max(average, mean);
        }
    }
    CHECK(check::close(std::max(first.residual, second.residual), residual, 10 * averages.rounding[0]));
    CHECK(check::close(std::max(first.average, second.average), average, averages.rounding[0]));
    // Without the check the values are the same, bit for bit.
    std::vector<Real> checked(next, next + size);
    std::copy(before.begin(), before.end(), next);
    run_pass(averages, Pass<Real>{averages.rows.data(), sources, now, next, mix, keep, bias, 0});
    run_pass(averages,
             Pass<Real>{averages.rows.data() + sources, graph.nodes - sources, now, next, mix, keep, nullptr, 0});
    CHECK(std::equal(checked.begin(), checked.end(), next));
}

}  // namespace

int main() {
    for (const Node hub : {4, 5, 17, 31, 32, 33, 64, 65, 100, 1000})
        for (const bool weighted : {false, true})
            for (const double self_loop : {0.0, 1.0}) {
                passes<float>(hub, weighted, self_loop);
                passes<double>(hub, weighted, self_loop);
            }
    return check::result();
}
