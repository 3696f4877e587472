// Counter-based random numbers. Every draw is a pure function of (seed, what it is for, how many came before), so a
// view does not depend on threads, on the other graphs of a batch, or on the machine.
#pragma once

#include <cstdint>

namespace rlap {

inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014), of a word or of a vector of them.
template <class Words>
[[gnu::always_inline]] constexpr void mix_in_place(Words& x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    x ^= x >> 31;
}
constexpr std::uint64_t mix(std::uint64_t x) {
    mix_in_place(x);
    return x;
}

// What a stream of draws is for; keeps the streams of one seed apart.
enum class Purpose : std::uint64_t { order = 1, node = 2, walk = 3, graph = 4, view = 5, restart = 6 };

inline std::uint64_t derive(std::uint64_t key, Purpose purpose, std::uint64_t index) {
    return mix(mix(key + kGolden * static_cast<std::uint64_t>(purpose)) + kGolden * (index + 1));
}

// The seed of one view of one graph. View 0 of graph 0 has the caller's own seed, so that a graph alone and the same
// graph at the head of a batch give the same view.
inline std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t view, std::uint64_t graph) {
    if (view) seed = derive(seed, Purpose::view, view);
    return graph ? derive(seed, Purpose::graph, graph) : seed;
}

// Uniform on [0, 1) with 53 bits.
inline double uniform(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

// Both halves of a product, also where no integer has 128 bits.
struct Product {
    std::uint64_t low, high;
};
constexpr Product multiply_by_halves(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t kLow = 0xFFFFFFFF;
    const std::uint64_t cross = (a >> 32) * (b & kLow) + ((a & kLow) * (b & kLow) >> 32);  // below 2^64
    const std::uint64_t other = (a & kLow) * (b >> 32) + (cross & kLow);
    return {a * b, (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32)};
}
constexpr Product multiply(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
    const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)};
#else
    return multiply_by_halves(a, b);
#endif
}

// Uniform on {0, ..., bound - 1}; its bias is below bound / 2^64.
inline std::uint64_t below(std::uint64_t bits, std::uint64_t bound) { return multiply(bits, bound).high; }

class Stream {
  public:
    explicit Stream(std::uint64_t key) : key_(key) {}
    std::uint64_t next() { return mix(key_ += kGolden); }
    std::uint64_t next_below(std::uint64_t bound) { return below(next(), bound); }
    // What next_below will be.
    std::uint64_t peek_below(std::uint64_t bound) const { return Stream(*this).next_below(bound); }

  private:
    std::uint64_t key_;
};

}  // namespace rlap
