// Threads for work that falls into independent pieces. Pieces are taken in turn, so that uneven ones balance.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

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
    const auto loop = [&] {
        for (std::int64_t piece; (piece = next.fetch_add(1)) < pieces;) {
            try {
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
        for (std::int64_t t = 1; t < threads && t < pieces; ++t) others.emplace_back(loop);
    } catch (const std::system_error&) {
        // The system gives no more threads: those that run do the work.
    }
    loop();
    others.clear();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace rlap
