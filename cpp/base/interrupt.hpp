// How a long call is stopped from outside: by Ctrl-C, or by whatever else the caller of the core listens to.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <utility>

namespace rlap {

// Unwinds every thread of a call that was told to stop.
struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

// While it lives, the thread that made it, and those that work for it, can be told to stop. Without one, nothing stops.
class Listener {
  public:
    // `heard(context)` says whether to stop. It is asked now and then, always in the thread that made the listener.
    Listener(bool (*heard)(void*), void* context) : heard_(heard), context_(context) {
        before_ = std::exchange(here(), {this, true});
    }
    ~Listener() { here() = before_; }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    // Whether this thread is to stop.
    static bool is_stopped() noexcept {
        const auto [listener, own] = here();
        return listener && listener->ask(own);
    }

    static Listener* of_this_thread() { return here().listener; }
    // Lets this thread work for the one that has the listener.
    static void work_for(Listener* listener) { here() = {listener, false}; }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kPause{50};
    struct Place {
        Listener* listener = nullptr;
        bool own = false;
    };
    static Place& here() {
        static thread_local Place place;
        return place;
    }

    bool ask(bool own) noexcept {
        if (own && !stopped_.load(std::memory_order_relaxed) && Clock::now() >= next_) {
            if (heard_(context_)) stopped_.store(true, std::memory_order_relaxed);
            next_ = Clock::now() + kPause;
        }
        return stopped_.load(std::memory_order_relaxed);
    }

    bool (*heard_)(void*);
    void* context_;
    Clock::time_point next_ = Clock::now() + kPause;
    std::atomic<bool> stopped_{false};
    Place before_;
};

inline void stop_if_told() {
    if (Listener::is_stopped()) throw Interrupted();
}

// What an elimination costs beside its edges.
inline constexpr std::int64_t kEdgesEach = 16;

// Counts work, an edge or a step of a walk a unit, and looks up once in a while: a loop calls it as often as it likes.
class Poll {
  public:
    void operator()(std::int64_t work = 1) {
        if ((left_ -= work) < 0) look();
    }

  private:
    static constexpr std::int64_t kBetween = 1 << 16;

    [[gnu::noinline, gnu::cold]] void look() {
        left_ = kBetween;
        stop_if_told();
    }

    std::int64_t left_ = kBetween;
};

}  // namespace rlap
