#include "coins.hpp"

namespace rlap {

Buffer<std::uint64_t> coin_starts(std::uint64_t seed, std::int64_t graphs) {
    Buffer<std::uint64_t> start(graphs);
    for (std::int64_t graph = 0; graph < graphs; ++graph) start[graph] = mix(derive_seed(seed, 0, graph));
    return start;
}

Buffer<double> toss_all(const std::uint64_t* key, std::int64_t count, const std::int64_t* graph,
                        const std::uint64_t* start) {
    Buffer<double> number(count);
    for (std::int64_t i = 0; i < count; ++i)
        number[i] = static_cast<double>(toss(key[i], start[graph ? graph[i] : 0])) * 0x1p-53;
    return number;
}

}  // namespace rlap
