#include "base/fingerprint.hpp"

#include <algorithm>
#include <cstring>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"

namespace rlap {
namespace {

constexpr std::size_t kPiece = 1 << 17, kStep = 64;  // bytes
constexpr std::int64_t kWorthThreads = 1 << 22;
constexpr int kLanes = kStep / 16;

// The step of hashes that read 16 bytes with one multiplication.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const auto [low, high] = multiply(a, b);
    return low ^ high;
}

// Four lanes, so that a multiplication need not wait for the one before it.
struct Lanes {
    std::uint64_t state[kLanes];

    explicit Lanes(std::uint64_t start) {
        for (int lane = 0; lane < kLanes; ++lane) state[lane] = mix(start + kGolden * (lane + 1));
    }
    void take(const unsigned char* block) {
        std::uint64_t read[2 * kLanes];
        std::memcpy(read, block, kStep);
        for (int lane = 0; lane < kLanes; ++lane)
            state[lane] = fold(read[2 * lane] ^ 0xBF58476D1CE4E5B9ULL, read[2 * lane + 1] ^ state[lane]);
    }
    std::uint64_t end() const {
        std::uint64_t all = 0;
        for (const std::uint64_t one : state) all = mix(all + one) + kGolden;
        return all;
    }
};

}  // namespace

std::uint64_t fingerprint(const void* data, std::size_t bytes, int threads) {
    const auto* begin = static_cast<const unsigned char*>(data);
    const std::size_t pieces = (bytes + kPiece - 1) / kPiece;
    Buffer<std::uint64_t> part(pieces);
    parallel_for(static_cast<std::int64_t>(pieces), static_cast<std::int64_t>(bytes) < kWorthThreads ? 1 : threads,
                 [&](std::int64_t piece) {
                     Lanes lanes(static_cast<std::uint64_t>(piece));
                     std::size_t at = piece * kPiece;
                     const std::size_t end = std::min(bytes, at + kPiece);
                     for (; at + kStep <= end; at += kStep) lanes.take(begin + at);
                     if (at < end) {
                         unsigned char rest[kStep] = {};
                         std::memcpy(rest, begin + at, end - at);
                         lanes.take(rest);
                     }
                     part[piece] = lanes.end();
                 });
    std::uint64_t all = mix(bytes);
    for (const std::uint64_t one : part) all = mix(all + one) + kGolden;
    return all;
}

}  // namespace rlap
