// Uniform numbers that belong to things, not to places in an array: a hash of the seed and of what they are for.
#pragma once

#include <cstdint>

#include "base/buffer.hpp"
#include "base/random.hpp"

namespace rlap {

// The 53 bits of the number of `key`, where the numbers of its graph begin at `start`.
inline std::uint64_t keyed_bits(std::uint64_t key, std::uint64_t start) { return mix(key * kGolden + start) >> 11; }

// Where the numbers of each graph of a call begin.
Buffer<std::uint64_t> stream_starts(std::uint64_t seed, std::int64_t graphs);

// The numbers of keys, in [0, 1). `graph` says whose they are; without, all are the first one's. Refuses those that are
// none of the `graphs`.
Buffer<double> keyed_uniforms(const std::uint64_t* key, std::int64_t count, const std::int64_t* graph,
                              const std::uint64_t* start, std::int64_t graphs);

}  // namespace rlap
