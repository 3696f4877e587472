// The fuzzer's bytes, read as options, numbers and edge lists: short ones reach far, and most make valid graphs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "base/random.hpp"
#include "base/thread_pool.hpp"
#include "graph/graph.hpp"
#include "schur/assemble.hpp"

// What never holds is a finding.
#define HOLDS(...)                                                                                \
    do {                                                                                          \
        if (!(__VA_ARGS__)) {                                                                     \
            std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
            std::abort();                                                                         \
        }                                                                                         \
    } while (false)

namespace fuzz {

using namespace rlap;

// Where the bytes are at an end, zeros follow.
class Input {
  public:
    Input(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

    bool empty() const { return at_ == end_; }
    std::uint8_t byte() { return empty() ? 0 : *at_++; }
    std::uint8_t below(int bound) { return static_cast<std::uint8_t>(byte() % bound); }
    template <class T>
    T raw() {
        T value{};
        const std::size_t size = std::min(sizeof value, static_cast<std::size_t>(end_ - at_));
        if (size > 0) std::memcpy(&value, at_, size);
        at_ += size;
        return value;
    }

    // One byte for a plain number or a hard one, nine for any.
    double number() {
        using Limits = std::numeric_limits<double>;
        static constexpr double hard[] = {0,
                                          -1,
                                          1e-300,
                                          1e300,
                                          1e-30,
                                          1e30,
                                          Limits::min(),
                                          Limits::denorm_min(),
                                          Limits::max(),
                                          Limits::infinity(),
                                          -Limits::infinity(),
                                          Limits::quiet_NaN(),
                                          Limits::max() / 64,
                                          1e-160,
                                          1e160,
                                          1 + Limits::epsilon()};
        constexpr std::uint8_t kPlain = 224, kHard = kPlain + std::size(hard);
        const std::uint8_t kind = byte();
        return kind < kPlain ? (1 + kind) / 16.0 : kind < kHard ? hard[kind - kPlain] : raw<double>();
    }

  private:
    const std::uint8_t *at_, *end_;
};

struct List {
    std::int64_t nodes = 0;
    std::vector<std::int64_t> row, col, first;
    std::vector<double> weight;  // empty: every weight is 1
    bool symmetrize = false;

    template <class Index, class Weight>
    Graph build(ThreadPool* pool = nullptr) const {
        const std::vector<Index> rows(row.begin(), row.end()), cols(col.begin(), col.end());
        std::vector<Weight> weights(weight.size());
        const double most = std::numeric_limits<Weight>::max();  // what is above it would be undefined
        std::transform(weight.begin(), weight.end(), weights.begin(), [&](double value) {
            return static_cast<Weight>(std::isinf(value) ? value : std::clamp(value, -most, most));
        });
        return build_graph(EdgeList<Index, Weight>{nodes, static_cast<std::int64_t>(rows.size()), rows.data(),
                                                   cols.data(), weights.empty() ? nullptr : weights.data(),
                                                   static_cast<std::int64_t>(first.size()) - 1, first.data()},
                           symmetrize, pool);
    }
};

// The options of a list, as bits of its first byte. kValid alone stands for what all functions but the reader need.
enum : std::uint8_t { kWeighted = 1, kMirror = 2, kSort = 4, kByColumn = 8, kBatch = 16, kWild = 32, kSymmetrize = 64 };

// All bytes that are left: options, the number of nodes, the sizes of the graphs of a batch, then the edges.
inline List read_list(Input& input, std::size_t most_edges, std::uint8_t always = 0, std::uint8_t never = 0) {
    const std::uint8_t options = (input.byte() | always) & static_cast<std::uint8_t>(~never);
    List list;
    list.nodes = input.byte();
    list.symmetrize = options & kSymmetrize;
    list.first = {0, list.nodes};
    if (options & kBatch) {
        list.first.assign(1, 0);
        for (int graphs = 1 + input.below(4); graphs > 1; --graphs) {
            const std::int64_t size = input.byte();
            list.first.push_back(options & kWild ? size : std::min(list.nodes, list.first.back() + size));
        }
        list.first.push_back(list.nodes);
    }
    const bool wild = options & kWild;
    if (wild && input.below(8) == 0) list.nodes = input.raw<std::int32_t>() >> input.below(32);
    const auto node = [&]() -> std::int64_t {
        const std::uint8_t number = input.byte();
        if (!wild) return number % list.nodes;
        return number < 250 ? number : number < 253 ? number - 253 : input.raw<std::int64_t>();
    };
    struct Entry {
        std::int64_t row, col;
        double weight;
    };
    std::vector<Entry> entries;
    while (!input.empty() && entries.size() < most_edges && (wild || list.nodes > 0)) {
        Entry entry{node(), 0, 1.0};
        entry.col = node();
        if (!wild && list.first.size() > 2) {  // into the graph of the row
            const auto end = std::upper_bound(list.first.begin(), list.first.end(), entry.row);
            entry.col = end[-1] + entry.col % (*end - end[-1]);
        }
        if (options & kWeighted) entry.weight = input.number();
        entries.push_back(entry);
        if (options & kMirror) entries.push_back({entry.col, entry.row, entry.weight});
    }
    if (options & kSort)
        std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
            if (options & kByColumn) return a.col != b.col ? a.col < b.col : a.row < b.row;
            return a.row != b.row ? a.row < b.row : a.col < b.col;
        });
    for (const Entry& entry : entries) {
        list.row.push_back(entry.row);
        list.col.push_back(entry.col);
        if (options & kWeighted) list.weight.push_back(entry.weight);
    }
    return list;
}

// A graph that is valid but for its weights; throws std::invalid_argument where those are not.
inline Graph read_graph(Input& input, std::size_t most_edges) {
    return read_list(input, most_edges, kMirror, kWild).build<std::int32_t, double>();
}

// The same threads in all runs: starting some takes longer than the rest of a run.
inline ThreadPool& pool() {
    static ThreadPool two(2);
    return two;
}

// Sorted by (row, col), without duplicates and self-loops, positive and finite, both directions with the same bits,
// and between nodes that the view keeps.
inline void check_view(const View& view, std::int64_t nodes, const Output& output) {
    HOLDS(static_cast<std::int64_t>(view.node_mask.size()) == nodes);
    std::int64_t kept = 0;
    for (const std::uint8_t one : view.node_mask) {
        HOLDS(one <= 1);
        kept += one;
    }
    const std::int64_t *row = view.from(), *col = view.to(), names = output.relabel ? kept : nodes;
    HOLDS((output.single ? view.weight_single.size() : view.weight.size()) == static_cast<std::size_t>(view.edges));
    const auto weight = [&](std::int64_t e) { return output.single ? view.weight_single[e] : view.weight[e]; };
    std::vector<std::int64_t> begin(names + 1, 0);
    for (std::int64_t e = 0; e < view.edges; ++e) {
        for (const std::int64_t end : {row[e], col[e]})
            HOLDS(end >= 0 && end < names && (output.relabel || view.node_mask[end]));
        HOLDS(row[e] != col[e] && weight(e) > 0 && std::isfinite(weight(e)));
        HOLDS(e == 0 || row[e - 1] < row[e] || (row[e - 1] == row[e] && col[e - 1] < col[e]));
        begin[row[e] + 1] = e + 1;
    }
    for (std::int64_t u = 0; u < names; ++u) begin[u + 1] = std::max(begin[u + 1], begin[u]);
    for (std::int64_t e = 0; e < view.edges; ++e) {
        const auto *first = col + begin[col[e]], *last = col + begin[col[e] + 1];
        const auto* reverse = std::lower_bound(first, last, row[e]);
        HOLDS(reverse != last && *reverse == row[e] && weight(reverse - col) == weight(e));
    }
    HOLDS(view.ground.size() == static_cast<std::size_t>(output.ground ? names : 0));
    for (const double value : view.ground) HOLDS(value >= 0 && std::isfinite(value));
}

}  // namespace fuzz
