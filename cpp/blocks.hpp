// The memory behind arrays.
#pragma once

#include <cstddef>

namespace rlap {

// Makes a block (from nullptr), or makes one larger, with what it holds. Throws std::bad_alloc.
void* grow_block(void* block, std::size_t from_bytes, std::size_t to_bytes);
void free_block(void* block, std::size_t bytes) noexcept;

// How many bytes of freed blocks may be kept from now on. Returns the limit before; zero where none are ever kept.
std::size_t limit_kept_bytes(std::size_t bytes);
std::size_t kept_bytes();

}  // namespace rlap
