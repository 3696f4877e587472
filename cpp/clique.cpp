#include "clique.hpp"

#include <bit>
#include <limits>
#include <numeric>

// The ranking loop pays for wider vectors than the baseline has; the loader picks the clone that the processor can run.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(RLAP_NO_CLONES)
#define RLAP_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define RLAP_CLONES
#endif

namespace rlap {
namespace {

constexpr Node kLanes = 8;
constexpr Node kMostRanked = 192;  // above this, comparing all with all costs more than a comparison sort

// rank[i] is how many keys are below key[i]. The keys are padded to a multiple of kLanes.
RLAP_CLONES void count_ranks(const double* key, Node size, std::int64_t* rank) {
    for (Node block = 0; block < size; block += kLanes) {
        std::int64_t count[kLanes] = {};
        for (Node i = 0; i < size; ++i)
            for (Node lane = 0; lane < kLanes; ++lane) count[lane] += key[i] < key[block + lane];
        for (Node lane = 0; lane < kLanes; ++lane) rank[block + lane] = count[lane];
    }
}

// Weights that agree in their leading 32 bits of fraction count as tied: that is beyond any meaning, and rounding
// (which depends on the order of summation) cannot then decide an order. The other 20 bits break ties at random.
constexpr std::uint64_t kTieBits = (1ULL << 20) - 1;
constexpr std::uint64_t kOne = std::bit_cast<std::uint64_t>(1.0);

}  // namespace

void CliqueSampler::sort(Star& star, std::uint64_t key) {
    const Node size = star.size;
    const Node padded = (size + kLanes - 1) / kLanes * kLanes;
    sort_key_.resize(padded);
    rank_.resize(padded);
    sorted_label_.resize(size);
    sorted_weight_.resize(size);
    const std::uint64_t tie_key = mix(~key);
    const bool by_weight = order_ != NeighborOrder::random;
    for (Node i = 0; i < size; ++i) {
        const std::uint64_t tie = mix(tie_key ^ (static_cast<std::uint64_t>(star.label[i]) * kGolden));
        const std::uint64_t bits = by_weight
                                       ? (std::bit_cast<std::uint64_t>(star.weight[i]) & ~kTieBits) | (tie & kTieBits)
                                       : kOne | tie >> 12;
        sort_key_[i] = std::bit_cast<double>(bits);
    }

    if (size <= kMostRanked) {
        std::fill(sort_key_.begin() + size, sort_key_.end(), std::numeric_limits<double>::infinity());
        count_ranks(sort_key_.data(), size, rank_.data());
        // Equal keys, one chance in a million even between tied weights, get the same rank: move on to the next free.
        std::fill(sorted_label_.begin(), sorted_label_.end(), -1);
        for (Node i = 0; i < size; ++i) {
            std::int64_t place = rank_[i];
            while (sorted_label_[place] != -1) ++place;
            sorted_label_[place] = star.label[i];
            sorted_weight_[place] = star.weight[i];
        }
    } else {
        std::iota(rank_.begin(), rank_.begin() + size, 0);
        std::sort(rank_.begin(), rank_.begin() + size, [this](std::int64_t a, std::int64_t b) {
            return sort_key_[a] < sort_key_[b] || (sort_key_[a] == sort_key_[b] && a < b);
        });
        for (Node i = 0; i < size; ++i) {
            sorted_label_[i] = star.label[rank_[i]];
            sorted_weight_[i] = star.weight[rank_[i]];
        }
    }
    if (order_ == NeighborOrder::descending) {
        std::reverse(sorted_label_.begin(), sorted_label_.end());
        std::reverse(sorted_weight_.begin(), sorted_weight_.end());
    }
    std::swap(star.label, sorted_label_);
    std::swap(star.weight, sorted_weight_);
}

}  // namespace rlap
