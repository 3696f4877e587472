#include "rank.hpp"

// Comparing all with all pays for wider vectors than the baseline has; the loader picks the clone that the processor
// can run.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(RLAP_NO_CLONES)
#define RLAP_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define RLAP_CLONES
#endif

namespace rlap {

RLAP_CLONES void Ranking::count_below(const double* key, Node size, std::int64_t* place) {
    for (Node block = 0; block < size; block += kLanes) {
        std::int64_t count[kLanes] = {};
        for (Node i = 0; i < size; ++i)
            for (Node lane = 0; lane < kLanes; ++lane) count[lane] += key[i] < key[block + lane];
        for (Node lane = 0; lane < kLanes; ++lane) place[block + lane] = count[lane];
    }
}

}  // namespace rlap
