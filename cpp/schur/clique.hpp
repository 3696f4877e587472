// What replaces the star of an eliminated node: the sampled clique of the paper's Algorithm 1, or the star of vertex
// coarsening. Both have the exact clique as their mean.
#pragma once

#include <cstdint>

#include "graph/graph.hpp"
#include "schur/rank.hpp"

namespace rlap {

enum class NeighborOrder { ascending, descending, random, coarsen };

// The star of the node being eliminated: its neighbours, by label, and the weights of its edges to them. Labels only
// have to be unique; the random part of the order is drawn by label, so that it does not depend on how the list came
// about.
struct Star {
    Buffer<Node> label;
    Buffer<double> weight;
    Node size = 0;
    bool equal = false;  // every weight is the same, and none was merged

    // Makes room for so many neighbours in all, and for vectors that reach behind the last.
    void reserve(std::size_t neighbors) {
        label.reserve_grown(neighbors + Ranking::kLanes);
        weight.reserve_grown(neighbors + Ranking::kLanes);
    }
    void push(Node x, double w) {
        reserve(static_cast<std::size_t>(size) + 1);
        label.data()[size] = x;
        weight.data()[size++] = w;
    }
    double total() const;
    bool all_same() const {
        bool same = true;
        for (Node i = 1; i < size; ++i) same &= weight.data()[i] == weight.data()[0];
        return same;
    }
};

struct NewEdge {
    Node x, y;
    double weight;
};

class CliqueSampler {
  public:
    explicit CliqueSampler(NeighborOrder order) : order_(order) {}

    // Labels from this one on are the ground, whatever number it has.
    void set_ground(Node label) { ground_ = label; }

    // Draws the random part of the order by these names, one for every label below the ground, instead of by label;
    // null: by label.
    void set_names(const std::int64_t* name) { name_ = name; }

    // The edges of the replacement: size - 1 of them at the most. `star` comes back reordered.
    // `key` is the eliminated node's own stream.
    const Buffer<NewEdge>& replace(Star& star, std::uint64_t key);

  private:
    std::uint64_t name_of(Node label) const {
        return static_cast<std::uint64_t>(label < ground_ ? name_[label] : ground_);
    }
    struct Sampling;  // the kernel
    template <std::size_t Bytes>
    void write_keys(Star& star, std::uint64_t key);
    template <std::size_t Bytes>
    void sort(Star& star, std::uint64_t key);
    template <std::size_t Bytes>
    void sample_sorted(const Star& star, std::uint64_t key);
    void sample_equal(Star& star, std::uint64_t key);
    void coarsen(const Star& star, std::uint64_t key);

    NeighborOrder order_;
    Node ground_ = -1;
    const std::int64_t* name_ = nullptr;
    Buffer<NewEdge> edge_;
    Ranking ranking_;
    Buffer<double> rest_, target_, sorted_weight_;
    Buffer<std::int64_t> above_;
    Buffer<Node> sorted_label_;
};

}  // namespace rlap
