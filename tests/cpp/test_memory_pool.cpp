// Blocks that are kept: none is given out twice, neighbours join, the limit holds, and what is handed back is gone.
#include "base/memory_pool.hpp"
#include "base/parallel.hpp"
#include "check.hpp"

#if defined(__linux__)

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <new>
#include <random>
#include <vector>

namespace {

using namespace rlap;

// Whether the system knows the address at all.
bool mapped(void* block) {
    unsigned char resident = 0;
    return mincore(block, 1, &resident) == 0 || errno != ENOMEM;
}

void a_block_comes_back() {
    MemoryPool pool;
    void* const block = pool.take(3 * kHugePage);
    CHECK(reinterpret_cast<std::uintptr_t>(block) % kHugePage == 0);
    CHECK(pool.kept() == 0);
    pool.give(block, 3 * kHugePage);
    CHECK(pool.kept() == 3 * kHugePage);
    CHECK(pool.take(3 * kHugePage) == block);
    CHECK(pool.kept() == 0);
    pool.give(block, 3 * kHugePage);
    pool.limit(0);
}

void parts_of_a_block_join_again() {
    const std::vector<std::vector<int>> orders = {{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 2, 1, 3}, {1, 3, 0, 2}};
    for (const std::vector<int>& order : orders) {
        MemoryPool pool;
        char* const block = static_cast<char*>(pool.take(4 * kHugePage));
        pool.give(block, 4 * kHugePage);
        for (int part = 0; part < 4; ++part) CHECK(pool.take(kHugePage) == block + part * kHugePage);
        for (const int part : order) pool.give(block + part * kHugePage, kHugePage);
        // A mark tells the block from a new one that the system puts at the same address.
        block[kHugePage] = 7;
        CHECK(pool.take(4 * kHugePage) == block && block[kHugePage] == 7);
        pool.give(block, 4 * kHugePage);
        pool.limit(0);
    }
}

void the_smallest_that_fits_is_taken() {
    MemoryPool pool;
    char* const large = static_cast<char*>(pool.take(8 * kHugePage));
    void* const small = pool.take(2 * kHugePage);
    // A block between them, which stays in use, keeps the two apart.
    pool.give(large, 3 * kHugePage);
    pool.give(large + 4 * kHugePage, 4 * kHugePage);
    pool.give(small, 2 * kHugePage);
    CHECK(pool.take(3 * kHugePage) == large);
    pool.give(large, 3 * kHugePage);
    pool.give(large + 3 * kHugePage, kHugePage);
    pool.limit(0);
}

void a_block_grows_into_what_is_free_behind_it() {
    MemoryPool pool;
    char* const block = static_cast<char*>(pool.take(6 * kHugePage));
    pool.give(block + 2 * kHugePage, 2 * kHugePage);
    CHECK(!pool.extend(block, 2 * kHugePage, 5 * kHugePage));
    CHECK(pool.extend(block, 2 * kHugePage, 3 * kHugePage));
    CHECK(!pool.extend(block, 2 * kHugePage, 3 * kHugePage));
    CHECK(pool.extend(block, 3 * kHugePage, 4 * kHugePage));
    CHECK(pool.kept() == 0);
    pool.give(block, 6 * kHugePage);
    pool.limit(0);
}

void the_limit_holds() {
    MemoryPool pool;
    CHECK(pool.limit(4 * kHugePage) == MemoryPool::kUsualLimit);
    void* const first = pool.take(3 * kHugePage);
    void* const second = pool.take(3 * kHugePage);
    CHECK(mapped(first) && mapped(second));
    pool.give(first, 3 * kHugePage);
    pool.give(second, 3 * kHugePage);
    CHECK(pool.kept() == 4 * kHugePage);
    CHECK(pool.limit(kHugePage + 1) == 4 * kHugePage);
    CHECK(pool.kept() <= kHugePage + 1);
    CHECK(pool.limit(0) == kHugePage + 1);
    CHECK(pool.kept() == 0);
    CHECK(!mapped(first) && !mapped(second));
    // Nothing is kept from now on.
    void* const third = pool.take(2 * kHugePage);
    pool.give(third, 2 * kHugePage);
    CHECK(pool.kept() == 0 && !mapped(third));
}

// What does not fit goes before more is asked for, so that a process never holds both.
void what_is_of_no_use_is_handed_back() {
    MemoryPool pool;
    void* const small = pool.take(3 * kHugePage);
    pool.give(small, 3 * kHugePage);
    void* const large = pool.take(4 * kHugePage);
    CHECK(pool.kept() == 0);
    pool.give(large, 4 * kHugePage);
    pool.limit(0);
}

void too_much_is_refused() {
    MemoryPool pool;
    bool refused = false;
    try {
        pool.take(std::size_t{1} << 60);
    } catch (const std::bad_alloc&) {
        refused = true;
    }
    CHECK(refused);
}

// Takes, grows and gives at random; every block bears a mark at both ends of every page, which nobody else may change.
void work(MemoryPool& pool, std::uint64_t mark, int steps) {
    struct Held {
        char* block;
        std::size_t pages;
        std::uint64_t mark;
    };
    std::mt19937_64 random(mark);
    std::vector<Held> held;
    const auto places = [](const Held& one, const auto& visit) {
        for (std::size_t page = 0; page < one.pages; ++page)
            for (const std::size_t at : {page * kHugePage, (page + 1) * kHugePage - sizeof(std::uint64_t)})
                visit(*reinterpret_cast<std::uint64_t*>(one.block + at));
    };
    const auto sign = [&](const Held& one) { places(one, [&](std::uint64_t& place) { place = one.mark; }); };
    const auto intact = [&](const Held& one) {
        bool all = true;
        places(one, [&](std::uint64_t& place) { all = all && place == one.mark; });
        return all;
    };
    for (int step = 0; step < steps; ++step) {
        const std::size_t i = held.empty() ? 0 : random() % held.size();
        if (held.size() < 6 && random() % 2) {
            const std::size_t pages = 1 + random() % 4;
            held.push_back({static_cast<char*>(pool.take(pages * kHugePage)), pages, mark = random()});
            sign(held.back());
        } else if (!held.empty() && random() % 3 == 0) {
            CHECK(intact(held[i]));
            if (pool.extend(held[i].block, held[i].pages * kHugePage, (held[i].pages + 1) * kHugePage)) {
                ++held[i].pages;
                sign(held[i]);
            }
        } else if (!held.empty()) {
            CHECK(intact(held[i]));
            pool.give(held[i].block, held[i].pages * kHugePage);
            held[i] = held.back();
            held.pop_back();
        }
    }
    for (const Held& one : held) {
        CHECK(intact(one));
        pool.give(one.block, one.pages * kHugePage);
    }
}

void no_block_is_given_out_twice() {
    MemoryPool pool;
    pool.limit(20 * kHugePage);
    work(pool, 1, 400);
    {
        std::vector<rlap::JoiningThread> workers;
        for (std::uint64_t mark = 2; mark < 5; ++mark) workers.emplace_back([&, mark] { work(pool, mark, 4000); });
    }
    CHECK(pool.kept() <= 20 * kHugePage);
    pool.limit(0);
}

// A copy of the process can use the pool, whatever another thread was doing in it.
void a_forked_process_goes_on() {
    std::atomic<bool> over = false;
    rlap::JoiningThread other([&] {
        while (!over) MemoryPool::shared().kept();
    });
    for (int times = 0; times < 200; ++times) {
        const pid_t child = fork();
        CHECK(child >= 0);
        if (child < 0) break;
        if (child == 0) {
            alarm(20);  // ends a child that waits for ever
            MemoryPool::shared().kept();
            _exit(0);
        }
        int status = -1;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        if (!WIFEXITED(status)) break;
    }
    over = true;
}

}  // namespace

int main() {
    a_block_comes_back();
    parts_of_a_block_join_again();
    the_smallest_that_fits_is_taken();
    a_block_grows_into_what_is_free_behind_it();
    the_limit_holds();
    what_is_of_no_use_is_handed_back();
    too_much_is_refused();
    no_block_is_given_out_twice();
    a_forked_process_goes_on();
    return check::result();
}

#else

int main() {}

#endif
