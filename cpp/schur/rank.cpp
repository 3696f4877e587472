#include "schur/rank.hpp"

#include "base/dispatch.hpp"

namespace rlap {

// Comparing all with all: every key against a few vectors of keys, which are counted abreast.
struct Ranking::CountBelow {
    template <std::size_t Bytes>
    RLAP_INLINE static void run(const double* key, Node size, std::int64_t* place) {
        constexpr Node kAbreast = 4 * Bytes / sizeof(double);
        Node begin = 0;
        for (; size - begin > kAbreast - kLanes; begin += kAbreast) count<Bytes, kAbreast>(key, size, begin, place);
        for (; begin < size; begin += kLanes) count<Bytes, kLanes>(key, size, begin, place);
    }

  private:
    template <std::size_t Bytes, Node Lanes>
    RLAP_INLINE static void count(const double* key, Node size, Node begin, std::int64_t* place) {
        using Keys [[gnu::vector_size(Bytes), gnu::aligned(alignof(double))]] = double;
        using Counts [[gnu::vector_size(Bytes), gnu::aligned(alignof(std::int64_t))]] = std::int64_t;
        constexpr Node kLength = Bytes / sizeof(double), kVectors = Lanes / kLength;
        Keys own[kVectors];
        Counts below[kVectors] = {};
        for (Node v = 0; v < kVectors; ++v) own[v] = *reinterpret_cast<const Keys*>(key + begin + v * kLength);
        for (Node i = 0; i < size; ++i)
            for (Node v = 0; v < kVectors; ++v) below[v] -= key[i] < own[v];  // where it is true, -1
        for (Node v = 0; v < kVectors; ++v) *reinterpret_cast<Counts*>(place + begin + v * kLength) = below[v];
    }
};

void Ranking::count_below(const double* key, Node size, std::int64_t* place) {
    run_widest<CountBelow>(key, size, place);
}

}  // namespace rlap
