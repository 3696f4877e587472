// Terminal walks and walks with restart, by one thread and by two.
#include "sampling/walks.hpp"

#include "input.hpp"
#include "schur/terminal.hpp"

namespace {

using namespace fuzz;

// Weights far apart make walks that go to and fro until they are given up: in graphs of few edges alone.
constexpr std::size_t kSmall = 6;

void to_kept_nodes(const Graph& graph, Input& input, const Output& output, int threads) {
    const int every = 1 + input.byte();
    const std::uint8_t seed = input.byte();
    std::vector<std::uint8_t> keep(graph.nodes);
    for (Node u = 0; u < graph.nodes; ++u) keep[u] = u % every == 0;
    std::vector<double> ground(graph.nodes, 0.0);
    double total = graph.total;
    double leak = input.number();
    if (graph.neighbor.size() > kSmall && leak > 0) leak = std::clamp(leak, 1.0, 16.0);
    for (Node u = 1; u < graph.nodes; u += 3) total += 2 * (ground[u] = leak);
    const bool leaks = output.ground && leak >= 0 && std::isfinite(total);
    WalkTask task{graph, keep.data(), seed, leaks ? ground.data() : nullptr, output, threads, 0};
    task.output.ground = leaks;
    const View view = walk_schur(task);
    check_view(view, graph.nodes, task.output);
    HOLDS(std::equal(keep.begin(), keep.end(), view.node_mask.begin()));
    if (threads == 1) return;
    task.threads = 1;
    const View other = walk_schur(task);
    HOLDS(view.edges == other.edges && std::equal(view.from(), view.from() + 2 * view.edges, other.from()));
    HOLDS(std::equal(view.weight.begin(), view.weight.end(), other.weight.begin(), other.weight.end()));
}

void with_restart(const Graph& graph, Input& input, bool uniform, int threads) {
    if (graph.nodes == 0) return;
    const std::uint8_t walks = input.below(20), steps = input.below(40), restart = input.byte(), seed = input.byte();
    std::vector<Node> start(walks);
    for (int w = 0; w < walks; ++w) start[w] = static_cast<Node>(w * 7 % graph.nodes);
    const RestartTask task{graph, start.data(), walks, steps, restart / 255.0, uniform, seed, threads};
    const Buffer<std::int64_t> places = walk_restarting(task);
    const Buffer<std::uint8_t> seen = visit_restarting(task);
    HOLDS(places.size() == std::size_t{walks} * (steps + 1));
    std::vector<std::uint8_t> met(graph.nodes, 0);
    for (int w = 0; w < walks; ++w)
        for (int step = 0; step <= steps; ++step) {
            const std::int64_t u = places[w * (steps + 1) + step];
            HOLDS(u >= 0 && u < graph.nodes && (step > 0 || u == start[w]));
            met[u] = 1;
            if (step == 0 || u == start[w]) continue;
            const std::int64_t from = places[w * (steps + 1) + step - 1];
            const Node *row = graph.neighbor.begin() + graph.start[from], *end = row + graph.degree(from);
            HOLDS(std::binary_search(row, end, u));
        }
    HOLDS(std::equal(met.begin(), met.end(), seen.begin(), seen.end()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 8) return 0;
    Input options(data, 6), input(data + 6, size - 6);
    const std::uint8_t kind = options.byte();
    const int threads = kind % 16 == 15 ? 2 : 1;  // rarely: starting a thread takes longer than the rest
    try {
        List list = read_list(input, 40, kMirror, kWild);
        if (list.weight.size() > kSmall)
            for (double& weight : list.weight) weight = std::clamp(weight, 1.0, 16.0);
        const auto graph = list.build<std::int32_t, double>();
        if (kind & 16)
            with_restart(graph, options, kind & 32, threads);
        else
            to_kept_nodes(graph, options, {(kind & 32) != 0, (kind & 64) != 0, (kind & 128) != 0}, threads);
    } catch (const std::invalid_argument&) {
    } catch (const std::runtime_error&) {  // walks that take too long
    }
    return 0;
}
