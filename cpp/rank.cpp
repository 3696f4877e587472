#include "rank.hpp"

#include "clones.hpp"

namespace rlap {

// Comparing all with all pays for wider vectors than the baseline has.
RLAP_CLONES void Ranking::count_below(const double* key, Node size, std::int64_t* place) {
    for (Node block = 0; block < size; block += kLanes) {
        std::int64_t count[kLanes] = {};
        for (Node i = 0; i < size; ++i)
            for (Node lane = 0; lane < kLanes; ++lane) count[lane] += key[i] < key[block + lane];
        for (Node lane = 0; lane < kLanes; ++lane) place[block + lane] = count[lane];
    }
}

}  // namespace rlap
