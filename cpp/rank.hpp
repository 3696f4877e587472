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

    // Room for so many keys. The caller writes them, all different when there are at most kMostCompared.
    double* keys(Node size) {
        key_.reserve_grown(size + kLanes);
        place_.reserve_grown(size + kLanes);
        return key_.data();
    }

    // For the keys written, their places in rising order. Equal keys keep their order.
    const std::int64_t* places(Node size) {
        if (size <= kMostCompared) {
            std::fill_n(key_.data() + size, kLanes, std::numeric_limits<double>::infinity());
            count_below(key_.data(), size, place_.data());
        } else {
            order_.reserve_grown(size);
            std::iota(order_.data(), order_.data() + size, 0);
            std::sort(order_.data(), order_.data() + size,
                      [key = key_.data()](Node a, Node b) { return key[a] < key[b] || (key[a] == key[b] && a < b); });
            for (Node i = 0; i < size; ++i) place_.data()[order_.data()[i]] = i;
        }
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
