// Sorting short lists: count, for every key, how many keys are below it. No branches, and vectors do most of the work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "buffer.hpp"
#include "graph.hpp"

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
            places_by(size, [](Node a, Node b) { return a < b; });
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
    static constexpr Node kLanes = 8;
    // Up to kLanes more keys behind the last are read, and as many places written.
    static void count_below(const double* key, Node size, std::int64_t* place);

    Buffer<double> key_;
    Buffer<std::int64_t> place_;
    Buffer<Node> order_;
};

}  // namespace rlap
