// Threads for work that falls into independent pieces. Pieces are taken in turn, so that uneven ones balance.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/interrupt.hpp"

namespace rlap {

// A thread that is waited for at the end of its life: std::jthread, which libc++ lacks.
class JoiningThread : public std::thread {
  public:
    using std::thread::thread;
    JoiningThread(JoiningThread&&) noexcept = default;
    ~JoiningThread() {
        if (joinable()) join();
    }
};

// Calls work(piece) for every piece on at most `threads` threads, the calling one among them. The first exception stops
// the rest and is thrown again here.
template <class Work>
void parallel_for(std::int64_t pieces, int threads, const Work& work) {
    std::atomic<std::int64_t> next{0};
    std::exception_ptr failure;
    std::mutex guard;
    std::condition_variable done;
    std::size_t ended = 0;
    const auto loop = [&] {
        for (std::int64_t piece; (piece = next.fetch_add(1)) < pieces;) {
            try {
                stop_if_told();
                work(piece);
            } catch (...) {
                const std::lock_guard lock(guard);
                if (!failure) failure = std::current_exception();
                next = pieces;
            }
        }
    };
    std::vector<JoiningThread> others;
    try {
        for (std::int64_t t = 1; t < threads && t < pieces; ++t) {
            others.emplace_back([&, listener = Listener::of_this_thread()] {
                Listener::work_for(listener);
                loop();
                const std::lock_guard lock(guard);
                ++ended;
                done.notify_one();
            });
        }
    } catch (const std::system_error&) {
        // The system gives no more threads: those that run do the work.
    }
    loop();
    // Not only to join them: this thread may be the one that hears when to stop, and tells the others.
    for (std::unique_lock lock(guard); ended < others.size();) {
        done.wait_for(lock, std::chrono::milliseconds(50));
        lock.unlock();
        Listener::is_stopped();
        lock.lock();
    }
    others.clear();
    if (failure) std::rethrow_exception(failure);
    stop_if_told();
}

}  // namespace rlap
