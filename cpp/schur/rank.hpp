// Sorting short lists: count, for every key, how many keys are below it. No branches, and vectors do most of the work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "base/buffer.hpp"
#include "graph/graph.hpp"

namespace rlap {

class Ranking {
  public:
    // Lists up to here are ranked by comparing all with all; longer ones are sorted.
    static constexpr Node kMostCompared = 192;

    // Room for so many keys, which the caller writes.
    double* keys(Node size) {
        key_.reserve_grown(size + kLanes);
        place_.reserve_grown(size + kLanes);
        return key_.data();
    }

    // For the keys written, their places in rising order. Up to kMostCompared, equal keys get the same place; beyond,
    // they keep their order.
    const std::int64_t* places(Node size) {
        if (size <= kMostCompared) {
            std::fill_n(key_.data() + size, kLanes, std::numeric_limits<double>::infinity());
            count_below(key_.data(), size, place_.data());
        } else {
            rank_chunks(size);
        }
        return place_.data();
    }

    // The same, for keys that may be equal at any size: of two equal ones, before(a, b) says whether a comes first.
    template <class Before>
    const std::int64_t* places_by(Node size, const Before& before) {
        order_.reserve_grown(size);
        std::iota(order_.data(), order_.data() + size, 0);
        std::sort(order_.data(), order_.data() + size, [&before, key = key_.data()](Node a, Node b) {
            return key[a] < key[b] || (key[a] == key[b] && before(a, b));
        });
        for (Node i = 0; i < size; ++i) place_.data()[order_.data()[i]] = i;
        return place_.data();
    }

  private:
    static constexpr Node kChunk = 128;  // keys of a chunk must differ: callers put the place modulo 256 into them

    // Ranks chunks by comparing all with all, and merges them.
    void rank_chunks(Node size) {
        for (Buffer<double>* keys : {&sorted_key_, &merged_key_}) keys->reserve_grown(size);
        for (Buffer<Node>* order : {&order_, &merged_order_}) order->reserve_grown(size);
        std::fill_n(key_.data() + size, kLanes, std::numeric_limits<double>::infinity());
        for (Node begin = 0; begin < size; begin += kChunk) {
            const Node end = std::min(size, begin + kChunk);
            count_below(key_.data() + begin, end - begin, place_.data() + begin);
            for (Node i = begin; i < end; ++i) {
                const std::int64_t at = begin + place_.data()[i];
                sorted_key_.data()[at] = key_.data()[i];
                order_.data()[at] = i;
            }
        }
        for (std::int64_t width = kChunk; width < size; width *= 2) {
            for (std::int64_t begin = 0; begin < size; begin += 2 * width)
                merge(begin, std::min<std::int64_t>(begin + width, size),
                      std::min<std::int64_t>(begin + 2 * width, size));
            std::swap(sorted_key_, merged_key_);
            std::swap(order_, merged_order_);
        }
        for (Node i = 0; i < size; ++i) place_.data()[order_.data()[i]] = i;
    }

    // Two runs of sorted keys; of equal ones, those of the first run come first. No branch on which is less.
    void merge(std::int64_t begin, std::int64_t middle, std::int64_t end) {
        const double* const key = sorted_key_.data();
        const Node* const order = order_.data();
        std::int64_t x = begin, y = middle, out = begin;
        for (; x < middle && y < end; ++out) {
            const bool second = key[y] < key[x];
            const std::int64_t from = second ? y : x;
            merged_key_.data()[out] = key[from];
            merged_order_.data()[out] = order[from];
            x += !second;
            y += second;
        }
        const std::int64_t rest = x < middle ? x : y, left = end - out;
        std::copy_n(key + rest, left, merged_key_.data() + out);
        std::copy_n(order + rest, left, merged_order_.data() + out);
    }

    static constexpr Node kLanes = 8;
    // Up to kLanes more keys behind the last are read, and as many places written.
    static void count_below(const double* key, Node size, std::int64_t* place);
    struct CountBelow;

    Buffer<double> key_, sorted_key_, merged_key_;
    Buffer<std::int64_t> place_;
    Buffer<Node> order_, merged_order_;
};

}  // namespace rlap
