#include <algorithm>
#include <optional>

#include "base/parallel.hpp"
#include "base/thread_pool.hpp"
#include "schur/eliminate.hpp"

namespace rlap {
namespace {

// Starting a thread costs as much as this many edges.
constexpr std::int64_t kLeastEdges = 1 << 15;

// Cuts the batch into at most `parts` runs of whole graphs with about the same number of edges.
std::vector<std::int64_t> cut_batch(const Graph& graph, std::int64_t parts) {
    const std::int64_t edges = graph.start[graph.nodes];
    parts = std::min({parts, graph.graphs(), edges / kLeastEdges});
    std::vector<std::int64_t> cut{0};
    for (std::int64_t part = 1; part < parts; ++part) {
        const auto there =
            std::lower_bound(graph.first.begin() + cut.back() + 1, graph.first.end() - 1, part,
                             [&](Node first, std::int64_t p) { return graph.start[first] < edges / parts * p; });
        if (there == graph.first.end() - 1) break;
        cut.push_back(there - graph.first.begin());
    }
    cut.push_back(graph.graphs());
    return cut;
}

template <class T>
void append(Buffer<T>& whole, const T* values, std::size_t count, T shift) {
    const std::size_t at = whole.size();
    whole.reserve_grown(at + count);
    whole.resize(at + count);
    for (std::size_t i = 0; i < count; ++i) whole[at + i] = values[i] + shift;
}

// Views of successive runs of graphs, put together.
View join(std::vector<View>& parts, const Output& output) {
    if (parts.size() == 1) return std::move(parts[0]);
    View whole;
    whole.single = output.single;
    whole.grounded = output.ground;
    for (const View& part : parts) whole.edges += part.edges;
    for (const std::size_t side : {0, 1}) {
        std::int64_t shift = 0;
        for (const View& part : parts) {
            append(whole.edge_index, part.from() + side * part.edges, part.edges, shift);
            if (output.relabel) shift += std::count(part.node_mask.begin(), part.node_mask.end(), 1);
        }
    }
    whole.node_mask = Buffer<std::uint8_t>(parts[0].node_mask.size(), 0);
    for (const View& part : parts) {
        append(whole.weight, part.weight.data(), part.weight.size(), 0.0);
        append(whole.weight_single, part.weight_single.data(), part.weight_single.size(), 0.0F);
        for (std::size_t u = 0; u < part.node_mask.size(); ++u) whole.node_mask[u] |= part.node_mask[u];
        if (!output.ground) continue;
        if (output.relabel) {
            append(whole.ground, part.ground.data(), part.ground.size(), 0.0);
        } else {
            if (whole.ground.empty()) whole.ground = Buffer<double>(part.ground.size(), 0.0);
            for (std::size_t u = 0; u < part.ground.size(); ++u) whole.ground[u] += part.ground[u];
        }
    }
    return whole;
}

}  // namespace

std::vector<View> eliminate_all(const std::vector<Task>& tasks, int threads, std::int64_t least_edges) {
    if (tasks.empty()) return {};
    const auto views = static_cast<std::int64_t>(tasks.size());
    const std::vector<std::int64_t> cut = cut_batch(tasks[0].graph, (threads + views - 1) / views);
    const auto parts = static_cast<std::int64_t>(cut.size()) - 1;
    std::vector<std::vector<View>> done(views);
    for (auto& view : done) view.resize(parts);
    const Graph& graph = tasks[0].graph;
    const auto each = static_cast<int>(threads / (views * parts));
    parallel_for(views * parts, threads, [&](std::int64_t piece) {
        const std::int64_t v = piece / parts, part = piece % parts;
        const std::int64_t edges = graph.start[graph.first[cut[part + 1]]] - graph.start[graph.first[cut[part]]];
        std::optional<ThreadPool> pool;
        if (each > 1 && edges >= least_edges) pool.emplace(each);
        done[v][part] = eliminate(tasks[v], cut[part], cut[part + 1], pool ? &*pool : nullptr).view;
    });
    std::vector<View> views_out;
    for (std::int64_t v = 0; v < views; ++v) views_out.push_back(join(done[v], tasks[v].output));
    return views_out;
}

}  // namespace rlap
