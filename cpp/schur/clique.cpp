#include "schur/clique.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/random.hpp"

namespace rlap {
namespace {

// Weights are compared rounded to 24 bits of fraction, seven digits: what the order of summation leaves in the last
// bits cannot then decide an order. The other 28 bits break ties at random; without names, the last 8 of them make the
// keys of a star unique.
constexpr std::uint64_t kTieBits = (1ULL << 28) - 1;
constexpr std::uint64_t kHalf = 1ULL << 27;
constexpr std::uint64_t kIndexBits = (1ULL << 8) - 1;
static_assert(Ranking::kMostCompared <= kIndexBits + 1);
constexpr Node kAbreast = 4;  // searches for a partner
constexpr std::uint64_t kOne = std::bit_cast<std::uint64_t>(1.0);

// Equal keys count as many below them, so that places are missing from the sum.
bool are_distinct(const std::int64_t* place, std::int64_t size) {
    return std::accumulate(place, place + size, std::int64_t{0}) == size * (size - 1) / 2;
}

}  // namespace

double Star::total() const { return std::accumulate(weight.data(), weight.data() + size, 0.0); }

const Buffer<NewEdge>& CliqueSampler::replace(Star& star, std::uint64_t key) {
    edge_.reserve_grown(star.size + kAbreast);
    edge_.clear();
    if (star.size < 2) return edge_;
    edge_.resize(star.size - 1);
    if (star.size == 2) {
        edge_[0] = {star.label[0], star.label[1],
                    positive(star.weight[0] * (star.weight[1] / (star.weight[0] + star.weight[1])))};
    } else if (order_ == NeighborOrder::coarsen) {
        coarsen(star, key);
    } else if (star.equal) {
        sample_equal(star, key);
    } else {
        sort(star, key);
        sample_sorted(star, key);
    }
    return edge_;
}

// With equal weights every order is a uniformly random one, and so is the partner: no sort, no search.
void CliqueSampler::sample_equal(Star& star, std::uint64_t key) {
    Stream draws(key);
    Node* label = star.label.data();
    NewEdge* edge = edge_.data();
    const double weight = star.weight[0], scale = 1.0 / star.size;
    for (Node left = star.size - 1; left > 0; --left, ++label) {
        std::swap(label[0], label[draws.next_below(static_cast<std::uint64_t>(left) + 1)]);
        const Node partner = label[1 + draws.next_below(static_cast<std::uint64_t>(left))];
        *edge++ = {label[0], partner, positive(weight * (left * scale))};
    }
}

// Neighbour l meets a later neighbour q with probability weight[q] / rest[l], where rest[l] is what the neighbours
// behind l weigh together. Summing from the far end keeps rest exact where differences would cancel.
void CliqueSampler::sample_sorted(const Star& star, std::uint64_t key) {
    const Node size = star.size;
    const double* weight = star.weight.data();
    const Node* label = star.label.data();
    rest_.reserve_grown(size + kAbreast);
    double* rest = rest_.data();
    std::fill_n(rest + size - 1, kAbreast, 0.0);
    for (Node l = size - 1; l > 0; --l) rest[l - 1] = rest[l] + weight[l];
    const double scale = 1.0 / (rest[0] + weight[0]);
    NewEdge* edge = edge_.data();
    Stream draws(key);
    // The partner of l is the number of entries above its target: all up to l, never the last. The search takes the
    // same steps for every target, so that nothing has to be guessed, and several run side by side. What they do
    // behind the last neighbour but one is never looked at.
    for (Node from = 0; from < size - 1; from += kAbreast) {
        double target[kAbreast];
        const double* found[kAbreast];
        for (Node k = 0; k < kAbreast; ++k) {
            target[k] = uniform(draws.next()) * rest[from + k];
            found[k] = rest + from;
        }
        for (Node left = size - from; left > 1;) {
            const Node half = left / 2;
            for (Node k = 0; k < kAbreast; ++k) found[k] += found[k][half - 1] > target[k] ? half : 0;
            left -= half;
        }
        for (Node k = 0; k < kAbreast; ++k) {
            const Node l = from + k;
            const auto q = std::max<std::int64_t>(found[k] - rest, l + 1);
            edge[l] = {label[l], label[q], positive(weight[l] * (rest[l] * scale))};
        }
    }
}

// Fahrbach et al. 2020: one neighbour, drawn by weight, becomes the centre of a star over the others.
void CliqueSampler::coarsen(const Star& star, std::uint64_t key) {
    const double* weight = star.weight.data();
    double target = uniform(Stream(key).next()) * star.total();
    Node centre = 0;
    while (centre < star.size - 1 && target >= weight[centre]) target -= weight[centre++];
    const double own = weight[centre];
    NewEdge* edge = edge_.data();
    for (Node i = 0; i < star.size; ++i) {
        if (i == centre) continue;
        *edge++ = {star.label[centre], star.label[i], positive(own * (weight[i] / (own + weight[i])))};
    }
}

void CliqueSampler::sort(Star& star, std::uint64_t key) {
    const Node size = star.size;
    sorted_label_.reserve_grown(size + kAbreast);
    sorted_weight_.reserve_grown(size + kAbreast);
    double* sort_key = ranking_.keys(size);
    Node* label = sorted_label_.data();
    double* weight = sorted_weight_.data();

    const std::uint64_t tie_key = mix(~key);
    const std::uint64_t weight_bits = order_ != NeighborOrder::random ? ~kTieBits : 0;
    // Between 1 and 2 in random order: never subnormal, which some programs flush to zero.
    const std::uint64_t fixed_bits = order_ != NeighborOrder::random ? 0 : kOne;
    const std::uint64_t random_bits = order_ != NeighborOrder::random ? kTieBits : (1ULL << 52) - 1;
    const auto write_keys = [&](const auto& name, std::uint64_t index_bits) {
        for (Node i = 0; i < size; ++i) {
            const std::uint64_t tie = mix(tie_key ^ (name(star.label.data()[i]) * kGolden)) & random_bits & ~index_bits;
            const std::uint64_t bits = (std::bit_cast<std::uint64_t>(star.weight.data()[i]) + kHalf) & weight_bits;
            const std::uint64_t index = static_cast<std::uint64_t>(i) & index_bits;
            sort_key[i] = std::bit_cast<double>(fixed_bits | bits | tie | index);
        }
    };
    const std::int64_t* place = nullptr;
    if (!name_) {
        write_keys([ground = ground_](Node x) { return static_cast<std::uint64_t>(std::min(x, ground)); }, kIndexBits);
        place = ranking_.places(size);
    } else {
        write_keys([this](Node x) { return name_of(x); }, 0);
        // Keys are equal once in a long while. Then names decide, so that the order of the list never does.
        const auto by_name = [&](Node a, Node b) { return name_of(star.label[a]) < name_of(star.label[b]); };
        if (size <= Ranking::kMostCompared) place = ranking_.places(size);
        if (!place || !are_distinct(place, size)) place = ranking_.places_by(size, by_name);
    }
    for (Node i = 0; i < size; ++i) {
        label[place[i]] = star.label.data()[i];
        weight[place[i]] = star.weight.data()[i];
    }
    std::fill_n(label + size, kAbreast, 0);
    std::fill_n(weight + size, kAbreast, 0.0);
    if (order_ == NeighborOrder::descending) {
        std::reverse(label, label + size);
        std::reverse(weight, weight + size);
    }
    std::swap(star.label, sorted_label_);
    std::swap(star.weight, sorted_weight_);
}

}  // namespace rlap
