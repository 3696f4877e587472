// What replaces the star of an eliminated node: the sampled clique of the paper's Algorithm 1, or the star of vertex
// coarsening. Both have the exact clique as their mean.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cstdint>

#include "graph.hpp"
#include "random.hpp"

namespace rlap {

enum class NeighborOrder { ascending, descending, random, coarsen };

// The star of the node being eliminated: its neighbours, by label, and the weights of its edges to them. Labels only
// have to be unique; the random part of the order is drawn by label, so that it does not depend on how the list came
// about.
struct Star {
    Buffer<Node> label;
    Buffer<double> weight;
    Node size = 0;
    double total = 0;    // sum of the weights, once measured
    bool equal = false;  // every weight is known to be the same

    void clear(bool equal_weights) {
        size = 0;
        equal = equal_weights;
    }
    void reserve_more(std::int64_t more) {
        label.resize(size);
        label.reserve_more(more);
        weight.resize(size);
        weight.reserve_more(more);
    }
    // Writes behind the end without checking; `counts` says whether the neighbour stays.
    void push_if(Node x, double w, bool counts) {
        label.data()[size] = x;
        weight.data()[size] = w;
        size += counts;
    }
    void push(Node x, double w) {
        reserve_more(1);
        push_if(x, w, true);
    }
    void measure() {
        total = 0;
        for (Node i = 0; i < size; ++i) total += weight.data()[i];
    }
};

class CliqueSampler {
  public:
    explicit CliqueSampler(NeighborOrder order) : order_(order) {}

    // Calls add(x, y, weight) for every edge of the replacement: size - 1 of them at the most. `star` must have been
    // measured; it comes back reordered. `key` is the eliminated node's own stream.
    template <class Add>
    void replace(Star& star, std::uint64_t key, Add&& add) {
        if (star.size < 2) return;
        const double scale = 1.0 / star.total;
        if (star.size == 2) {
            add(star.label[0], star.label[1], positive(star.weight[0] * scale * star.weight[1]));
        } else if (order_ == NeighborOrder::coarsen) {
            coarsen(star, key, add);
        } else if (star.equal) {
            sample_equal(star, key, scale, add);
        } else {
            sort(star, key);
            sample_sorted(star, key, scale, add);
        }
    }

  private:
    // Weights far apart can underflow; an edge that the sampling wants must not vanish with it.
    static double positive(double weight) { return std::max(weight, DBL_MIN); }

    // With equal weights every order is a uniformly random one, and so is the partner: no sort, no search.
    template <class Add>
    void sample_equal(Star& star, std::uint64_t key, double scale, Add&& add) {
        Stream draws(key);
        Node* label = star.label.data();
        const double weight = star.weight[0];
        for (Node left = star.size - 1; left > 0; --left, ++label) {
            std::swap(label[0], label[draws.next_below(static_cast<std::uint64_t>(left) + 1)]);
            const Node partner = label[1 + draws.next_below(static_cast<std::uint64_t>(left))];
            add(label[0], partner, positive(weight * (weight * left * scale)));
        }
    }

    // Neighbour l meets a later neighbour q with probability weight[q] / rest[l], where rest[l] is what the neighbours
    // behind l weigh together. Summing from the far end keeps rest exact where differences would cancel.
    template <class Add>
    void sample_sorted(const Star& star, std::uint64_t key, double scale, Add&& add) {
        const Node size = star.size;
        std::int64_t width = 4;
        while (width < size) width *= 2;
        rest_.resize(width);
        double* rest = rest_.data();
        std::fill(rest + size - 1, rest + width, 0.0);
        for (Node l = size - 1; l > 0; --l) rest[l - 1] = rest[l] + star.weight[l];
        Stream draws(key);
        for (Node l = 0; l < size - 1; ++l) {
            const double target = uniform(draws.next()) * rest[l];
            // q is the number of entries above the target; entries up to l are, entries behind the last are not.
            std::int64_t q = 0;
            for (std::int64_t step = width / 2; step > 0; step /= 2) q += rest[q + step - 1] > target ? step : 0;
            q = std::clamp<std::int64_t>(q, l + 1, size - 1);
            add(star.label[l], star.label[q], positive(star.weight[l] * (rest[l] * scale)));
        }
    }

    // Fahrbach et al. 2020: one neighbour, drawn by weight, becomes the centre of a star over the others.
    template <class Add>
    void coarsen(const Star& star, std::uint64_t key, Add&& add) {
        double target = uniform(Stream(key).next()) * star.total;
        Node centre = 0;
        while (centre < star.size - 1 && target >= star.weight[centre]) target -= star.weight[centre++];
        const double own = star.weight[centre];
        for (Node i = 0; i < star.size; ++i) {
            if (i == centre) continue;
            const double other = star.weight[i];
            add(star.label[centre], star.label[i], positive(own * (other / (own + other))));
        }
    }

    void sort(Star& star, std::uint64_t key);

    NeighborOrder order_;
    Buffer<double> rest_, sort_key_, sorted_weight_;
    Buffer<std::int64_t> rank_;
    Buffer<Node> sorted_label_;
};

}  // namespace rlap
