// Elimination in all orders, of one graph and of batches, with and without a ground, by one thread and by two.
#include "input.hpp"
#include "schur/eliminate.hpp"

namespace {

using namespace fuzz;

// Which nodes hang together, the ground being one more.
class Components {
  public:
    explicit Components(std::int64_t nodes) : parent_(nodes + 1) { std::iota(parent_.begin(), parent_.end(), 0); }
    std::int64_t of(std::int64_t u) {
        while (parent_[u] != u) u = parent_[u] = parent_[parent_[u]];
        return u;
    }
    void join(std::int64_t u, std::int64_t v) { parent_[of(u)] = of(v); }

  private:
    std::vector<std::int64_t> parent_;
};

// Kept nodes are connected in the view, through the ground too, if they are in the graph.
void check_connected(const Task& task, const View& view) {
    const Node nodes = task.graph.nodes;
    Components before(nodes), after(nodes);
    for (Node u = 0; u < nodes; ++u) {
        for (std::int64_t at = task.graph.start[u]; at < task.graph.start[u + 1]; ++at)
            before.join(u, task.graph.neighbor[at]);
        if (task.ground && task.ground[u] > 0) before.join(u, nodes);
    }
    std::vector<std::int64_t> node;  // by name in the view
    for (Node u = 0; u < nodes; ++u)
        if (view.node_mask[u] || !task.output.relabel) node.push_back(u);
    for (std::int64_t e = 0; e < view.edges; ++e) after.join(node[view.from()[e]], node[view.to()[e]]);
    for (std::size_t i = 0; i < view.ground.size(); ++i)
        if (view.ground[i] > 0) after.join(node[i], nodes);
    std::vector<std::int64_t> met(nodes + 1, -1);
    for (Node u = 0; u < nodes; ++u) {
        if (!view.node_mask[u]) continue;
        std::int64_t& whole = met[before.of(u)];
        HOLDS(whole < 0 || whole == after.of(u));
        whole = after.of(u);
    }
}

bool same(const View& a, const View& b) {
    const auto equal = [](const auto& x, const auto& y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); };
    return a.edges == b.edges && std::equal(a.from(), a.from() + 2 * a.edges, b.from()) && equal(a.weight, b.weight) &&
           equal(a.weight_single, b.weight_single) && equal(a.node_mask, b.node_mask) && equal(a.ground, b.ground);
}

void run(Input& input) {
    const std::uint8_t orders = input.byte(), options = input.byte(), share = input.byte(), seed = input.byte();
    const int every = 1 + input.byte();  // the candidates and the nodes with a ground
    const double leak_weight = input.number();
    const Graph graph = read_graph(input, 160);
    const bool relabel = options & 1, single = options & 2, grounded = options & 4, chosen = options & 8;
    const bool columns = options & 16, stops = options & 32, shared = options & 64;

    const auto node_order = static_cast<NodeOrder>(orders % 3);
    std::vector<Node> nodes;
    std::vector<std::int64_t> begin{0}, count;
    Stream draws(seed);
    for (std::int64_t g = 0; g < graph.graphs(); ++g) {
        for (Node u = graph.first[g]; u < graph.first[g + 1]; ++u)
            if (u % every || every == 1) nodes.push_back(u);
        for (std::int64_t i = static_cast<std::int64_t>(nodes.size()); i > begin.back() + 1; --i)
            std::swap(nodes[i - 1], nodes[begin.back() + draws.next_below(i - begin.back())]);
        begin.push_back(static_cast<std::int64_t>(nodes.size()));
        const bool some = chosen || node_order == NodeOrder::given;
        const std::int64_t most = some ? begin[g + 1] - begin[g] : graph.first[g + 1] - graph.first[g];
        count.push_back(most * share / 255);
    }
    const bool some = chosen || node_order == NodeOrder::given;
    std::vector<double> ground(graph.nodes, 0.0);
    double total = graph.total;
    for (Node u = 0; u < graph.nodes; u += every) total += 2 * (ground[u] = leak_weight);
    const bool leaks = grounded && leak_weight >= 0 && std::isfinite(total);
    Task task{graph,
              {node_order, some ? nodes.data() : nullptr, some ? begin.data() : nullptr, count.data()},
              static_cast<NeighborOrder>(orders / 3 % 4),
              seed,
              leaks ? ground.data() : nullptr,
              {relabel, single, leaks},
              {},
              columns};
    if (stops && graph.graphs() == 1) task.stops = {0, count[0] / 2, count[0]};
    const Elimination done = eliminate(task, 0, graph.graphs());
    check_view(done.view, graph.nodes, task.output);
    check_connected(task, done.view);
    const auto kept = std::count(done.view.node_mask.begin(), done.view.node_mask.end(), 1);
    HOLDS(kept == graph.nodes - std::accumulate(count.begin(), count.end(), std::int64_t{0}));
    HOLDS(done.snapshots.size() == task.stops.size());
    for (const View& view : done.snapshots) check_view(view, graph.nodes, task.output);
    if (!task.stops.empty()) HOLDS(same(done.snapshots.back(), done.view));
    if (columns) {
        HOLDS(static_cast<std::int64_t>(done.columns.node.size()) == graph.nodes - kept);
        std::vector<double> x(graph.nodes + 1, 1.0);
        done.columns.solve(x.data(), graph.nodes);
    }
    if (shared) {
        task.stops.clear();
        task.columns = false;
        HOLDS(same(eliminate(task, 0, graph.graphs(), &pool()).view, done.view));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    try {
        run(input);
    } catch (const std::invalid_argument&) {
    }
    return 0;
}
