// The memory behind arrays. On Linux, large blocks stay with the process when they are freed, up to a limit, and serve
// the next call: asking the system for memory that it was given back a moment ago took an eighth of the time of a view,
// and up to 0.4 s of one on a virtual machine.
#pragma once

#include <cstddef>

#if defined(__linux__)
#include <map>
#include <mutex>
#endif

namespace rlap {

// Makes a block (from nullptr), or makes one larger, with what it holds. Throws std::bad_alloc.
void* grow_block(void* block, std::size_t from_bytes, std::size_t to_bytes);
void free_block(void* block, std::size_t bytes) noexcept;

// How many bytes of freed blocks may be kept from now on. Returns the limit before; zero where none are ever kept.
std::size_t limit_kept_bytes(std::size_t bytes);
std::size_t kept_bytes();

#if defined(__linux__)

// Blocks consist of huge pages: any part of one can be used, joined to its neighbour or handed back by itself.
inline constexpr std::size_t kHugePage = std::size_t{1} << 21;
inline std::size_t whole_pages(std::size_t bytes) { return (bytes + kHugePage - 1) & ~(kHugePage - 1); }

class MemoryPool {
  public:
    static constexpr std::size_t kUsualLimit = std::size_t{1} << 30;

    static MemoryPool& shared();

    // All sizes are whole huge pages. Throws std::bad_alloc.
    void* take(std::size_t bytes);
    // Makes a block longer where it stands, if what lies behind it is free.
    bool extend(void* block, std::size_t from_bytes, std::size_t to_bytes);
    void give(void* block, std::size_t bytes) noexcept;

    // How many bytes may be kept from now on; what is above goes back to the system. Returns the limit before.
    std::size_t limit(std::size_t bytes);
    std::size_t kept() const;

  private:
    using Ranges = std::map<char*, std::size_t>;

    char* cut(Ranges::iterator range, std::size_t bytes);
    void add(char* block, std::size_t bytes);
    void hand_back(std::size_t bytes);

    mutable std::mutex guard_;
    Ranges free_;  // no two of them touch
    std::size_t kept_ = 0;
    std::size_t limit_ = kUsualLimit;
};

#endif

}  // namespace rlap
