// Elimination by dynamic minimum degree: the order comes about on the way.
#pragma once

#include "eliminate.hpp"

namespace rlap {

// The degree of a node counts its edges, parallel ones until they are merged: an upper bound on its neighbours that
// needs no search, as in approximate minimum degree orderings.
Elimination eliminate_min_degree(const Task& task, std::int64_t g_begin, std::int64_t g_end, Team* team);

}  // namespace rlap
