// Arrays that another thread writes to while they are read: a result or an exception, and nothing out of bounds, which
// AddressSanitizer sees. What is read is any mixture of good and bad values, so results are only checked for being
// safe.
#include <atomic>
#include <thread>

#include "base/thread_pool.hpp"
#include "check.hpp"
#include "graph/cluster.hpp"
#include "graphs.hpp"
#include "sampling/edge_subset.hpp"
#include "sampling/keyed_uniform.hpp"
#include "schur/eliminate.hpp"
#include "schur/part.hpp"

namespace {

using namespace rlap;

constexpr Node kNodes = 60;
constexpr int kCalls = 3000;

// Arrays that go back and forth between what is valid and what is not, as long as this lives.
template <class... T>
class Writer {
  public:
    explicit Writer(std::vector<T>&... arrays)
        : thread_([this, &arrays...] {
              Stream draws(7);
              while (!over_) (change(arrays, draws), ...);
          }) {}
    ~Writer() {
        over_ = true;
        thread_.join();
    }

  private:
    template <class U>
    static void change(std::vector<U>& array, Stream& draws) {
        if (array.empty()) return;
        volatile U& entry = array[draws.next_below(array.size())];
        const U before = entry;
        const std::uint64_t bits = draws.next();
        entry = bits % 3 ? static_cast<U>(bits % kNodes) : static_cast<U>(static_cast<std::int64_t>(bits) >> 8);
        for (std::uint64_t wait = bits % 50; wait > 0; --wait) static_cast<void>(read_once(&array[0]));
        entry = before;
    }

    std::atomic<bool> over_{false};
    std::thread thread_;
};

template <class Call>
void often(const Call& call) {
    for (int i = 0; i < kCalls; ++i) try {
            call(i);
        } catch (const std::invalid_argument&) {  // what the writer has just made of an array
        } catch (const std::runtime_error&) {     // walks that take too long
        }
}

struct Columns {
    std::vector<std::int64_t> row, col, first{0, 20, kNodes};
    std::vector<double> weight;
    std::vector<Node> source, target;
    std::vector<std::uint8_t> filled;

    explicit Columns(bool sorted) {
        std::vector<graphs::Weighted> edges = graphs::ring(20, 30, 1);
        for (const graphs::Weighted& edge : graphs::ring(40, 90, 2, true, 20)) edges.push_back(edge);
        std::vector<graphs::Weighted> both;
        for (const auto& [u, v, w] : edges) {
            both.push_back({u, v, w});
            both.push_back({v, u, w});
        }
        if (sorted)
            std::sort(both.begin(), both.end(), [](const graphs::Weighted& a, const graphs::Weighted& b) {
                return a.u != b.u ? a.u < b.u : a.v < b.v;
            });
        for (const auto& [u, v, w] : both) {
            row.push_back(u);
            col.push_back(v);
            weight.push_back(w);
            source.push_back(static_cast<Node>(u));
            target.push_back(static_cast<Node>(v));
            filled.push_back(0);
        }
    }
    std::int64_t edges() const { return static_cast<std::int64_t>(row.size()); }
};

void graphs_are_read(bool sorted) {
    Columns columns(sorted);
    ThreadPool pool(2);
    const Writer writer(columns.row, columns.col, columns.weight, columns.first);
    often([&](int i) {
        const EdgeList<std::int64_t, double> list{kNodes,
                                                  columns.edges(),
                                                  columns.row.data(),
                                                  columns.col.data(),
                                                  i % 3 ? columns.weight.data() : nullptr,
                                                  2,
                                                  columns.first.data()};
        const Graph graph = build_graph(list, i % 5 == 0, i % 2 ? &pool : nullptr);
        const std::int64_t count[] = {graph.first[1] / 2, (kNodes - graph.first[1]) / 2};
        const Task task{
            graph, {NodeOrder::random, nullptr, nullptr, count}, NeighborOrder::ascending, 1, nullptr, {}, {}, false};
        CHECK(graphs::is_proper(eliminate(task, 0, 2).view, kNodes));
    });
}

void parts_are_read() {
    Columns columns(false);
    std::vector<std::int64_t> id(kNodes), cluster(kNodes, -1), volume(kNodes, 0);
    std::vector<std::int32_t> degree(kNodes, 0);
    for (Node u = 0; u < kNodes; ++u) id[u] = 3 * u;
    const std::vector<Node> order{5, 9, 1, 30, 31};
    const Writer writer(columns.source, columns.target, columns.weight, columns.filled);
    const Writer other(columns.row, columns.col, cluster, degree, volume);
    often([&](int) {
        const PartEdges edges = merge_edges({columns.edges(), columns.source.data(), columns.target.data(),
                                             columns.weight.data(), columns.filled.data()},
                                            kNodes);
        eliminate_part({edges, kNodes, id.data(), order.data(), 5, NeighborOrder::ascending, 1});
    });
    often([&](int i) {
        cluster_edges({kNodes, columns.edges(), columns.row.data(), columns.col.data(), cluster.data(), degree.data(),
                       volume.data(), 50, i % 2 == 0});
    });
    std::vector<std::int64_t> start(kNodes + 1);
    for (Node u = 0; u <= kNodes; ++u) start[u] = columns.edges() / kNodes * u;
    std::vector<Node> to = columns.target;
    for (std::size_t e = 0; e < to.size(); e += 4) to[e] = ~to[e];
    const Writer third(to);
    often([&](int i) {
        std::uint64_t key[] = {1, static_cast<std::uint64_t>(i)};
        std::int64_t step[] = {0, 0};
        Node place[] = {0, 7};
        double length[] = {0, 0};
        walk_part({start.data(), to.data(), columns.weight.data(), 2, key, step, place, length}, kNodes);
    });
}

void edges_stay_or_go() {
    Columns columns(true);
    std::vector<std::int64_t> graph(columns.row.size(), 1), leasts(columns.row.size(), std::int64_t{1} << 52);
    std::vector<std::uint8_t> marks(kNodes, 1);
    const std::vector<std::int64_t> first{0, 20, kNodes};
    const std::vector<std::uint64_t> start{1, 2}, key(columns.row.size(), 5);
    const Writer writer(columns.row, columns.col, graph, leasts, marks);
    const Ends ends{columns.edges(), columns.row.data(), columns.col.data()};
    often([&](int i) {
        drop_edges({ends, 2, first.data(), start.data(), i % 2 == 0}, 0, leasts.data(), 1);
        induced_edges(ends, kNodes, marks.data(), kNodes, i % 2 ? marks.data() : nullptr, 1);
        keyed_uniforms(key.data(), columns.edges(), graph.data(), start.data(), 2);
    });
}

}  // namespace

#if defined(__SANITIZE_THREAD__)
constexpr bool kMayRace = false;
#else
constexpr bool kMayRace = true;
#endif

int main() {
    if (kMayRace) {
        graphs_are_read(true);
        graphs_are_read(false);
        parts_are_read();
        edges_stay_or_go();
    }
    return check::result();
}
