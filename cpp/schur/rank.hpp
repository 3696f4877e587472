// Sorting short lists: count, for every key, how many keys are below it. No branches, and vectors do most of the work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "base/buffer.hpp"
#include "base/dispatch.hpp"
#include "graph/graph.hpp"

namespace rlap {

// For every probe, how many keys are below it, or above it: all compared with all, a few vectors of probes abreast. To
// the next multiple of kLanes, probes are read and counts written behind the last.
struct Counting {
    static constexpr Node kLanes = 8;

    template <std::size_t Bytes, bool Above = false>
    RLAP_INLINE static void run(const double* key, Node keys, const double* probe, Node probes, std::int64_t* number) {
        constexpr Node kAbreast = 4 * Bytes / sizeof(double);
        Node begin = 0;
        for (; probes - begin > kAbreast - kLanes; begin += kAbreast)
            count<Bytes, kAbreast, Above>(key, keys, probe + begin, number + begin);
        for (; begin < probes; begin += kLanes) count<Bytes, kLanes, Above>(key, keys, probe + begin, number + begin);
    }

  private:
    template <std::size_t Bytes, Node Lanes, bool Above>
    RLAP_INLINE static void count(const double* key, Node keys, const double* probe, std::int64_t* number) {
        using Keys [[gnu::vector_size(Bytes), gnu::aligned(alignof(double))]] = double;
        using Counts [[gnu::vector_size(Bytes), gnu::aligned(alignof(std::int64_t))]] = std::int64_t;
        constexpr Node kLength = Bytes / sizeof(double), kVectors = Lanes / kLength;
        Keys own[kVectors];
        Counts counts[kVectors] = {};
        for (Node v = 0; v < kVectors; ++v) own[v] = *reinterpret_cast<const Keys*>(probe + v * kLength);
        for (Node i = 0; i < keys; ++i)
            for (Node v = 0; v < kVectors; ++v) counts[v] -= Above ? key[i] > own[v] : key[i] < own[v];  // true is -1
        for (Node v = 0; v < kVectors; ++v) *reinterpret_cast<Counts*>(number + v * kLength) = counts[v];
    }
};

class Ranking {
  public:
    static constexpr Node kLanes = Counting::kLanes;

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
    const std::int64_t* places(Node size);
    // The same within a kernel.
    template <std::size_t Bytes>
    RLAP_INLINE const std::int64_t* places(Node size) {
        if (size > kMostCompared) return places(size);
        std::fill_n(key_.data() + size, kLanes, std::numeric_limits<double>::infinity());
        Counting::run<Bytes>(key_.data(), size, key_.data(), size, place_.data());
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

    void rank_chunks(Node size);
    void merge(std::int64_t begin, std::int64_t middle, std::int64_t end);

    Buffer<double> key_, sorted_key_, merged_key_;
    Buffer<std::int64_t> place_;
    Buffer<Node> order_, merged_order_;
};

}  // namespace rlap
