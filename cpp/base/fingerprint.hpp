// A number that tells blocks of memory apart: two that differ share it by chance once in 2^64 pairs or so.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rlap {

// The same on any number of threads.
std::uint64_t fingerprint(const void* data, std::size_t bytes, int threads = 1);

}  // namespace rlap
