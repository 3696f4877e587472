#include "schur/clique.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
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
constexpr Node kLanes = Ranking::kLanes;
constexpr Node kAbreast = 4;  // searches for a partner
constexpr std::uint64_t kOne = std::bit_cast<std::uint64_t>(1.0);

// Whole vectors, where the processor has them: narrower ones lack the multiplication of words.
using Words [[gnu::vector_size(8 * kLanes)]] = std::uint64_t;
using Signed [[gnu::vector_size(8 * kLanes)]] = std::int64_t;
using Doubles [[gnu::vector_size(8 * kLanes)]] = double;
using Labels [[gnu::vector_size(4 * kLanes)]] = Node;
constexpr Words kLane = {0, 1, 2, 3, 4, 5, 6, 7};

template <class Vector, class T>
RLAP_INLINE void load(Vector& vector, const T* from) {
    std::memcpy(&vector, from, sizeof(Vector));
}
template <class Vector, class T>
RLAP_INLINE void store(T* to, const Vector& vector) {
    std::memcpy(to, &vector, sizeof(Vector));
}

// Equal keys count as many below them, so that places are missing from the sum.
bool are_distinct(const std::int64_t* place, std::int64_t size) {
    return std::accumulate(place, place + size, std::int64_t{0}) == size * (size - 1) / 2;
}

}  // namespace

double Star::total() const { return std::accumulate(weight.data(), weight.data() + size, 0.0); }

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

template <std::size_t Bytes>
RLAP_INLINE void CliqueSampler::write_keys(Star& star, std::uint64_t key) {
    const Node size = star.size;
    double* sort_key = ranking_.keys(size);
    const std::uint64_t tie_key = mix(~key);
    const std::uint64_t weight_bits = order_ != NeighborOrder::random ? ~kTieBits : 0;
    // Between 1 and 2 in random order: never subnormal, which some programs flush to zero.
    const std::uint64_t fixed_bits = order_ != NeighborOrder::random ? 0 : kOne;
    const std::uint64_t random_bits = order_ != NeighborOrder::random ? kTieBits : (1ULL << 52) - 1;
    // `name` and `weight`, which become the key, are words or vectors of them.
    const auto make_keys = [&](auto& name, const auto& weight) __attribute__((always_inline)) {
        name = tie_key ^ (name * kGolden);
        mix_in_place(name);
        name = fixed_bits | ((weight + kHalf) & weight_bits) | (name & random_bits);
    };
    const Node* label = star.label.data();
    const double* weight = star.weight.data();
    if (name_) {
        for (Node i = 0; i < size; ++i) {
            std::uint64_t name = name_of(label[i]);
            make_keys(name, std::bit_cast<std::uint64_t>(weight[i]));
            sort_key[i] = std::bit_cast<double>(name);
        }
        return;
    }
    if constexpr (Bytes == sizeof(Words)) {
        std::fill_n(star.label.data() + size, kLanes, 0);
        std::fill_n(star.weight.data() + size, kLanes, 0.0);
        for (Node i = 0; i < size; i += kLanes) {
            Labels own;
            Words bits;
            load(own, label + i);
            load(bits, weight + i);
            own = own < ground_ ? own : ground_ - Labels{};
            Words keys = (Words) __builtin_convertvector(own, Signed);
            make_keys(keys, bits);
            keys = (keys & ~kIndexBits) | ((static_cast<std::uint64_t>(i) + kLane) & kIndexBits);
            store(sort_key + i, keys);
        }
    } else {
        for (Node i = 0; i < size; ++i) {
            auto name = static_cast<std::uint64_t>(std::min(label[i], ground_));
            make_keys(name, std::bit_cast<std::uint64_t>(weight[i]));
            sort_key[i] = std::bit_cast<double>((name & ~kIndexBits) | (static_cast<std::uint64_t>(i) & kIndexBits));
        }
    }
}

template <std::size_t Bytes>
RLAP_INLINE void CliqueSampler::sort(Star& star, std::uint64_t key) {
    const Node size = star.size;
    write_keys<Bytes>(star, key);
    const std::int64_t* place = nullptr;
    if (!name_) {
        place = ranking_.places<Bytes>(size);
    } else {
        // Keys are equal once in a long while. Then names decide, so that the order of the list never does.
        const auto by_name = [&](Node a, Node b) { return name_of(star.label[a]) < name_of(star.label[b]); };
        if (size <= Ranking::kMostCompared) place = ranking_.places<Bytes>(size);
        if (!place || !are_distinct(place, size)) place = ranking_.places_by(size, by_name);
    }
    sorted_label_.reserve_grown(size + kLanes);
    sorted_weight_.reserve_grown(size + kLanes);
    Node* label = sorted_label_.data();
    double* weight = sorted_weight_.data();
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

// Neighbour l meets a later neighbour q with probability weight[q] / rest[l], where rest[l] is what the neighbours
// behind l weigh together. Summing from the far end keeps rest exact where differences would cancel.
template <std::size_t Bytes>
RLAP_INLINE void CliqueSampler::sample_sorted(const Star& star, std::uint64_t key) {
    const Node size = star.size;
    const double* weight = star.weight.data();
    const Node* label = star.label.data();
    for (Buffer<double>* one : {&rest_, &target_}) one->reserve_grown(size + kLanes);
    above_.reserve_grown(size + kLanes);
    double *rest = rest_.data(), *target = target_.data();
    std::fill_n(rest + size - 1, kLanes, 0.0);
    for (Node l = size - 1; l > 0; --l) rest[l - 1] = rest[l] + weight[l];
    const double scale = 1.0 / (rest[0] + weight[0]);
    if constexpr (Bytes == sizeof(Words)) {
        for (Node l = 0; l < size - 1; l += kLanes) {
            Words draw = key + kGolden * (static_cast<std::uint64_t>(l) + 1 + kLane);
            mix_in_place(draw);
            Doubles behind;
            load(behind, rest + l);
            store(target + l, __builtin_convertvector((Signed)(draw >> 11), Doubles) * 0x1p-53 * behind);
        }
    } else {
        Stream draws(key);
        for (Node l = 0; l < size - 1; ++l) target[l] = uniform(draws.next()) * rest[l];
        std::fill_n(target + size - 1, kLanes, 0.0);
    }
    // The partner of l is the number of entries above its target: all up to l, never the last.
    NewEdge* edge = edge_.data();
    const auto join = [&](Node l, std::int64_t above) {
        const auto q = std::max<std::int64_t>(above, l + 1);
        edge[l] = {label[l], label[q], positive(weight[l] * (rest[l] * scale))};
    };
    if (size <= static_cast<Node>(Bytes)) {
        Counting::run<Bytes, true>(rest, size, target, size - 1, above_.data());
        for (Node l = 0; l < size - 1; ++l) join(l, above_.data()[l]);
        return;
    }
    // A binary search takes the same steps for every target, so that nothing has to be guessed, and several run side by
    // side. What they do behind the last neighbour but one is never looked at.
    for (Node from = 0; from < size - 1; from += kAbreast) {
        const double* found[kAbreast];
        std::fill_n(found, kAbreast, rest + from);
        for (Node left = size - from; left > 1;) {
            const Node half = left / 2;
            for (Node k = 0; k < kAbreast; ++k) found[k] += found[k][half - 1] > target[from + k] ? half : 0;
            left -= half;
        }
        for (Node k = 0; k < kAbreast; ++k) join(from + k, found[k] - rest);
    }
}

struct CliqueSampler::Sampling {
    template <std::size_t Bytes>
    RLAP_INLINE static void run(CliqueSampler& sampler, Star& star, std::uint64_t key) {
        sampler.sort<Bytes>(star, key);
        sampler.sample_sorted<Bytes>(star, key);
    }
};

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
        run_widest<Sampling>(*this, star, key);
    }
    return edge_;
}

}  // namespace rlap
