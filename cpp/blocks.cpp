#include "blocks.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "block_store.hpp"

namespace rlap {
namespace {

void* grow_small(void* block, std::size_t bytes) {
    void* const moved = std::realloc(block, std::max<std::size_t>(bytes, 1));
    if (!moved) throw std::bad_alloc();
    return moved;
}

}  // namespace

// AddressSanitizer follows what malloc gives, and would not see a use of memory that is kept.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)

namespace {

constexpr std::size_t kLarge = 2 * kHugePage;  // below it, malloc does well

}  // namespace

void* grow_block(void* block, std::size_t from_bytes, std::size_t to_bytes) {
    if (to_bytes < kLarge) return grow_small(block, to_bytes);
    if (to_bytes > static_cast<std::size_t>(-1) - 2 * kHugePage) throw std::bad_alloc();
    BlockStore& store = BlockStore::shared();
    const std::size_t to = whole_pages(to_bytes);
    if (from_bytes >= kLarge) {
        const std::size_t from = whole_pages(from_bytes);
        if (from == to || store.extend(block, from, to)) return block;
    }
    void* const moved = store.take(to);
    if (block) std::memcpy(moved, block, from_bytes);
    free_block(block, from_bytes);
    return moved;
}

void free_block(void* block, std::size_t bytes) noexcept {
    if (bytes < kLarge)
        std::free(block);
    else
        BlockStore::shared().give(block, whole_pages(bytes));
}

std::size_t limit_kept_bytes(std::size_t bytes) { return BlockStore::shared().limit(bytes); }
std::size_t kept_bytes() { return BlockStore::shared().kept(); }

#else

void* grow_block(void* block, std::size_t, std::size_t to_bytes) { return grow_small(block, to_bytes); }
void free_block(void* block, std::size_t) noexcept { std::free(block); }
std::size_t limit_kept_bytes(std::size_t) { return 0; }
std::size_t kept_bytes() { return 0; }

#endif

}  // namespace rlap
