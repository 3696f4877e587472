// Elimination in an order that is known beforehand, by several threads, with the bits that one thread gives.
#pragma once

#include "eliminate.hpp"

namespace rlap {

// The view of the graphs g_begin .. g_end - 1, without snapshots and columns.
View eliminate_in_parallel(const Task& task, std::int64_t g_begin, std::int64_t g_end, Team& team);

}  // namespace rlap
