// The Python surface. Checks shapes and ranges, so that no call can read out of bounds; rules that concern values are
// checked where the values are read.
#include <cstdlib>

#include "modules.hpp"

NB_MODULE(_core, module) {
    // glibc hands freed memory back to the system above a threshold that follows the largest block ever freed. A block
    // of this size, never touched, sets it so that calls do not pay for the same pages again and again.
    void* volatile untouched = std::malloc(std::size_t{24} << 20);
    std::free(untouched);

    rlap::bind_graph(module);
    rlap::bind_edges(module);
    rlap::bind_views(module);
    rlap::bind_diffusion(module);
    rlap::bind_walks(module);
    rlap::bind_parts(module);
    rlap::bind_layers(module);
    rlap::bind_memory(module);
}
