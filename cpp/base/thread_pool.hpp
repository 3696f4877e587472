// Threads that stay together over many short jobs: starting them anew for every block of an elimination would cost more
// than the block.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/interrupt.hpp"
#include "base/parallel.hpp"

namespace rlap {

// A graph with fewer edges, both directions counted, is not worth a pool.
inline constexpr std::int64_t kLeastShared = 1 << 18;

// What threads write to at the same time lies on lines of its own: two of 64 bytes, which are fetched together.
inline constexpr std::size_t kCacheLine = 128;

class ThreadPool {
  public:
    // So many threads, the calling one among them; fewer where the system gives no more.
    explicit ThreadPool(int threads) : size_(threads) {
        try {
            for (int t = 1; t < threads; ++t)
                others_.emplace_back([this, t, listener = Listener::of_this_thread()] {
                    Listener::work_for(listener);
                    serve(t);
                });
        } catch (const std::exception&) {
            // No more threads or no memory for them: those that run do the work.
        }
    }
    ~ThreadPool() {
        over_ = true;
        turn_.fetch_add(1);
        turn_.notify_all();
    }
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    // As asked for. Work is cut by this number, so that a system that gives fewer threads changes nothing else.
    int size() const { return size_; }

    // Calls work(thread, piece) for every piece; each thread gets its pieces in rising order. The first exception stops
    // the rest and is thrown again here. Only for the thread that made the pool, and not from within work.
    template <class Work>
    void each(std::int64_t pieces, const Work& work) {
        if (pieces <= 1 || others_.empty()) {
            for (std::int64_t piece = 0; piece < pieces; ++piece) work(0, piece);
            return;
        }
        call_ = [](const void* job, int thread, std::int64_t piece) {
            (*static_cast<const Work*>(job))(thread, piece);
        };
        job_ = &work;
        pieces_ = pieces;
        next_.store(0, std::memory_order_relaxed);
        gate_.store(kOpen, std::memory_order_release);
        turn_.fetch_add(1, std::memory_order_release);
        turn_.notify_all();
        loop(0);
        // Who has not come by now is not waited for.
        gate_.fetch_and(~kOpen, std::memory_order_acq_rel);
        for (int spins = 0; gate_.load(std::memory_order_acquire) != 0; ++spins) {
            if (spins < kSpins) {
                relax();
            } else {
                Listener::is_stopped();  // so that the others hear of it
                std::this_thread::yield();
            }
        }
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        stop_if_told();
    }

  private:
    static constexpr int kOpen = 1, kInside = 2;  // the gate: whether it is open, and how many are inside
    static constexpr int kSpins = 2000;           // some microseconds: jobs follow each other closely
    static constexpr std::int64_t kEachPiece = 1 << 12;

    static void relax() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }

    void serve(int thread) {
        for (int seen = 0;;) {
            for (int spins = 0; spins < kSpins && turn_.load(std::memory_order_acquire) == seen; ++spins) relax();
            turn_.wait(seen, std::memory_order_acquire);
            seen = turn_.load(std::memory_order_acquire);
            if (over_) return;
            for (int gate = gate_.load(std::memory_order_relaxed); gate & kOpen;)
                if (gate_.compare_exchange_weak(gate, gate + kInside, std::memory_order_acq_rel)) {
                    loop(thread);
                    gate_.fetch_sub(kInside, std::memory_order_acq_rel);
                    break;
                }
        }
    }

    void loop(int thread) {
        Poll poll;
        for (std::int64_t piece; (piece = next_.fetch_add(1, std::memory_order_relaxed)) < pieces_;) {
            try {
                poll(kEachPiece);
                call_(job_, thread, piece);
            } catch (...) {
                const std::lock_guard lock(guard_);
                if (!failure_) failure_ = std::current_exception();
                next_.store(pieces_, std::memory_order_relaxed);
            }
        }
    }

    int size_;
    std::atomic<int> turn_{0}, gate_{0};
    std::atomic<bool> over_{false};
    alignas(kCacheLine) std::atomic<std::int64_t> next_{0};
    std::int64_t pieces_ = 0;
    void (*call_)(const void*, int, std::int64_t) = nullptr;
    const void* job_ = nullptr;
    std::exception_ptr failure_;
    std::mutex guard_;
    std::vector<JoiningThread> others_;  // last: they end before what they use
};

}  // namespace rlap
