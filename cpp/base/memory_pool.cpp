#include "base/memory_pool.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <iterator>
#include <utility>
#endif

namespace rlap {

#if defined(__linux__)

namespace {

bool smaller(const std::pair<char* const, std::size_t>& a, const std::pair<char* const, std::size_t>& b) {
    return a.second < b.second;
}

// From the system. It gives small pages at any address: one huge page more is asked for, and its ends are cut off.
void* map_block(std::size_t bytes) {
    void* const got = mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) throw std::bad_alloc();
    char* const from = static_cast<char*>(got);
    const std::size_t front = -reinterpret_cast<std::uintptr_t>(from) & (kHugePage - 1);
    if (front > 0) munmap(from, front);
    munmap(from + front + bytes, kHugePage - front);
    madvise(from + front, bytes, MADV_HUGEPAGE);  // a wish: no harm if it is not granted
    return from + front;
}

}  // namespace

MemoryPool& MemoryPool::shared() {
    static MemoryPool& pool = []() -> MemoryPool& {
        auto& made = *new MemoryPool;  // never destroyed: arrays may outlive everything else
        // A process that is copied while another thread is in here would wait for that thread for ever.
        pthread_atfork([] { shared().guard_.lock(); }, [] { shared().guard_.unlock(); },
                       [] { shared().guard_.unlock(); });
        return made;
    }();
    return pool;
}

// At the start: a process that is copied while another thread makes the pool would wait for that thread for ever.
[[maybe_unused]] static const MemoryPool& made_at_start = MemoryPool::shared();

void* MemoryPool::take(std::size_t bytes) {
    {
        const std::lock_guard lock(guard_);
        auto best = free_.end();
        for (auto range = free_.begin(); range != free_.end(); ++range)
            if (range->second >= bytes && (best == free_.end() || smaller(*range, *best))) best = range;
        if (best != free_.end()) return cut(best, bytes);
        hand_back(bytes);  // or the process would hold what it needs now beside what it needed before
    }
    return map_block(bytes);
}

bool MemoryPool::extend(void* block, std::size_t from_bytes, std::size_t to_bytes) {
    const std::lock_guard lock(guard_);
    const auto behind = free_.find(static_cast<char*>(block) + from_bytes);
    if (behind == free_.end() || behind->second < to_bytes - from_bytes) return false;
    cut(behind, to_bytes - from_bytes);
    return true;
}

void MemoryPool::give(void* block, std::size_t bytes) noexcept {
    // The system may take these pages when it is short of memory; until then they are here, and writing to one keeps
    // it.
    madvise(block, bytes, MADV_FREE);
    const std::lock_guard lock(guard_);
    try {
        add(static_cast<char*>(block), bytes);
    } catch (const std::bad_alloc&) {
        munmap(block, bytes);
    }
    if (kept_ > limit_) hand_back(kept_ - limit_);
}

std::size_t MemoryPool::limit(std::size_t bytes) {
    const std::lock_guard lock(guard_);
    if (kept_ > bytes) hand_back(kept_ - bytes);
    return std::exchange(limit_, bytes);
}

std::size_t MemoryPool::kept() const {
    const std::lock_guard lock(guard_);
    return kept_;
}

// The first bytes of a free range.
char* MemoryPool::cut(Ranges::iterator range, std::size_t bytes) {
    char* const block = range->first;
    auto entry = free_.extract(range);
    entry.key() += bytes;
    entry.mapped() -= bytes;
    if (entry.mapped() > 0) free_.insert(std::move(entry));
    kept_ -= bytes;
    return block;
}

void MemoryPool::add(char* block, std::size_t bytes) {
    auto range = free_.emplace(block, bytes).first;
    kept_ += bytes;
    if (range != free_.begin())
        if (const auto before = std::prev(range); before->first + before->second == block) {
            before->second += bytes;
            free_.erase(range);
            range = before;
        }
    if (const auto behind = std::next(range); behind != free_.end() && range->first + range->second == behind->first) {
        range->second += behind->second;
        free_.erase(behind);
    }
}

// So many bytes at least, or all there are: the smallest ranges first, which are of least use.
void MemoryPool::hand_back(std::size_t bytes) {
    while (bytes > 0 && !free_.empty()) {
        const auto least = std::min_element(free_.begin(), free_.end(), smaller);
        const std::size_t part = std::min(least->second, whole_pages(bytes));
        least->second -= part;
        munmap(least->first + least->second, part);
        kept_ -= part;
        bytes -= std::min(bytes, part);
        if (least->second == 0) free_.erase(least);
    }
}

#endif

namespace {

void* grow_small(void* block, std::size_t bytes) {
    void* const moved = std::realloc(block, std::max<std::size_t>(bytes, 1));
    if (!moved) throw std::bad_alloc();
    return moved;
}

}  // namespace

// Sanitizers follow what malloc gives, and would not see a use of memory that is kept.
#if defined(__linux__) && !defined(RLAP_PLAIN_MALLOC)

namespace {

constexpr std::size_t kLarge = 2 * kHugePage;  // below it, malloc does well

}  // namespace

void* grow_block(void* block, std::size_t from_bytes, std::size_t to_bytes) {
    if (to_bytes < kLarge) return grow_small(block, to_bytes);
    if (to_bytes > static_cast<std::size_t>(-1) - 2 * kHugePage) throw std::bad_alloc();
    MemoryPool& pool = MemoryPool::shared();
    const std::size_t to = whole_pages(to_bytes);
    if (from_bytes >= kLarge) {
        const std::size_t from = whole_pages(from_bytes);
        if (from == to || pool.extend(block, from, to)) return block;
    }
    void* const moved = pool.take(to);
    if (block) std::memcpy(moved, block, from_bytes);
    free_block(block, from_bytes);
    return moved;
}

void free_block(void* block, std::size_t bytes) noexcept {
    if (bytes < kLarge)
        std::free(block);
    else
        MemoryPool::shared().give(block, whole_pages(bytes));
}

std::size_t limit_kept_bytes(std::size_t bytes) { return MemoryPool::shared().limit(bytes); }
std::size_t kept_bytes() { return MemoryPool::shared().kept(); }

#else

void* grow_block(void* block, std::size_t, std::size_t to_bytes) { return grow_small(block, to_bytes); }
void free_block(void* block, std::size_t) noexcept { std::free(block); }
std::size_t limit_kept_bytes(std::size_t) { return 0; }
std::size_t kept_bytes() { return 0; }

#endif

}  // namespace rlap
