// Threads over views, over the graphs of a batch and, where there are more threads than those, within a graph. None of
// it changes a result.
#pragma once

#include <vector>

#include "eliminate.hpp"

namespace rlap {

// One view for each task; the tasks are about the same graph. Threads share the work within a graph, or within a part
// of a batch, from `least_edges` on, both directions counted.
std::vector<View> eliminate_all(const std::vector<Task>& tasks, int threads, std::int64_t least_edges);

}  // namespace rlap
