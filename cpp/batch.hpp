// Threads over views and over the graphs of a batch. The pieces share nothing but the input, so the number of threads
// cannot change a result.
#pragma once

#include <vector>

#include "eliminate.hpp"

namespace rlap {

// One view for each task; the tasks are about the same graph.
std::vector<View> eliminate_all(const std::vector<Task>& tasks, int threads);

}  // namespace rlap
