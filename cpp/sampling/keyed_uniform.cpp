#include "sampling/keyed_uniform.hpp"

#include <stdexcept>
#include <string>

#include "base/interrupt.hpp"

namespace rlap {

Buffer<std::uint64_t> stream_starts(std::uint64_t seed, std::int64_t graphs) {
    Buffer<std::uint64_t> start(graphs);
    for (std::int64_t graph = 0; graph < graphs; ++graph) start[graph] = mix(derive_seed(seed, 0, graph));
    return start;
}

Buffer<double> keyed_uniforms(const std::uint64_t* key, std::int64_t count, const std::int64_t* graph,
                              const std::uint64_t* start, std::int64_t graphs) {
    Buffer<double> number(count);
    Poll poll;
    for (std::int64_t i = 0; i < count; ++i) {
        poll();
        const std::int64_t g = graph ? read_once(graph + i) : 0;
        if (g < 0 || g >= graphs)
            throw std::invalid_argument("graph must be one of start's (got " + std::to_string(g) + ")");
        number[i] = static_cast<double>(keyed_bits(key[i], start[g])) * 0x1p-53;
    }
    return number;
}

}  // namespace rlap
