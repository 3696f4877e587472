#include "sampling/walks.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace rlap {
namespace {

constexpr std::int64_t kAbreast = 16;           // walks that take turns, so that none waits alone for the memory
constexpr std::int64_t kStepsAtOnce = 1 << 14;  // fewer are not worth a thread

class Walker {
  public:
    explicit Walker(const RestartTask& task) : task_(task), key_(task.walks) {
        const Graph& graph = task.graph;
        Buffer<std::uint64_t> taken(graph.graphs(), 0);
        for (std::int64_t w = 0; w < task.walks; ++w) {
            const auto g =
                std::upper_bound(graph.first.begin(), graph.first.end(), task.start[w]) - graph.first.begin() - 1;
            key_[w] = derive(derive_seed(task.seed, 0, g), Purpose::restart, taken[g]++);
        }
        if (task.uniform || graph.weight.empty()) return;
        sum_.resize(graph.weight.size());
        for (Node u = 0; u < graph.nodes; ++u) {
            double total = 0;
            for (std::int64_t at = graph.start[u]; at < graph.start[u + 1]; ++at) sum_[at] = total += graph.weight[at];
        }
    }

    // Calls arrive(walk, step, node) for every step of every walk, the start being step 0. Walks run side by side.
    template <class Arrive>
    void run(const Arrive& arrive) const {
        const std::int64_t together = std::max<std::int64_t>(1, kStepsAtOnce / (task_.steps + 1));
        const std::int64_t pieces = (task_.walks + together - 1) / together;
        parallel_for(pieces, task_.threads, [&](std::int64_t piece) {
            const std::int64_t first = piece * together, last = std::min(first + together, task_.walks);
            for (std::int64_t w = first; w < last; w += kAbreast) run_abreast(w, std::min(w + kAbreast, last), arrive);
        });
    }

  private:
    template <class Arrive>
    void run_abreast(std::int64_t first, std::int64_t last, const Arrive& arrive) const {
        std::array<std::optional<Stream>, kAbreast> stream;
        std::array<Node, kAbreast> place;
        for (std::int64_t w = first; w < last; ++w) {
            stream[w - first].emplace(key_[w]);
            arrive(w, 0, place[w - first] = task_.start[w]);
        }
        Poll poll;
        for (std::int64_t step = 1; step <= task_.steps; ++step) {
            poll(last - first);
            for (std::int64_t w = first; w < last; ++w)
                arrive(w, step, place[w - first] = next(place[w - first], w, *stream[w - first]));
        }
    }

    Node next(Node u, std::int64_t walk, Stream& stream) const {
        if (task_.restart > 0 && uniform(stream.next()) < task_.restart) return task_.start[walk];
        const Graph& graph = task_.graph;
        const std::int64_t begin = graph.start[u], degree = graph.degree(u);
        if (degree == 0) return u;
        // Weights of 1 must lead where no weights do, to the bit: a graph without weights may be in a batch with them.
        const double* row = sum_.empty() ? nullptr : sum_.data() + begin;
        const double place = uniform(stream.next()) * (row ? row[degree - 1] : static_cast<double>(degree));
        const std::int64_t chosen =
            row ? std::upper_bound(row, row + degree, place) - row : static_cast<std::int64_t>(place);
        return graph.neighbor[begin + std::min(chosen, degree - 1)];
    }

    const RestartTask& task_;
    Buffer<std::uint64_t> key_;
    Buffer<double> sum_;  // of the weights up to here within the row; empty when neighbours are chosen uniformly
};

}  // namespace

Buffer<std::int64_t> walk_restarting(const RestartTask& task) {
    Buffer<std::int64_t> places(task.walks * (task.steps + 1));
    Walker(task).run([&](std::int64_t walk, std::int64_t step, Node u) { places[walk * (task.steps + 1) + step] = u; });
    return places;
}

Buffer<std::uint8_t> visit_restarting(const RestartTask& task) {
    Buffer<std::uint8_t> seen(task.graph.nodes, 0);
    Walker(task).run([&](std::int64_t, std::int64_t, Node u) {
        // Most nodes have been met before: threads that only look share the line.
        if (!__atomic_load_n(&seen[u], __ATOMIC_RELAXED)) __atomic_store_n(&seen[u], 1, __ATOMIC_RELAXED);
    });
    return seen;
}

}  // namespace rlap
