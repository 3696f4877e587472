// A listener stops all threads of a call, and nobody else.
#include <thread>

#include "base/interrupt.hpp"
#include "base/parallel.hpp"
#include "base/thread_pool.hpp"
#include "check.hpp"

using namespace rlap;

namespace {

struct Ear {
    int asked = 0, limit;
    std::thread::id home = std::this_thread::get_id();
    bool elsewhere = false;

    static bool hear(void* self) {
        Ear& ear = *static_cast<Ear*>(self);
        ear.elsewhere |= std::this_thread::get_id() != ear.home;
        return ++ear.asked >= ear.limit;
    }
};

template <class Run>
bool is_interrupted(const Run& run) {
    try {
        run();
    } catch (const Interrupted&) {
        return true;
    }
    return false;
}

// Without a listener it would never end.
void work_for_ever() {
    for (Poll poll;;) poll();
}

template <class Run>
void check_stopped(const Run& run) {
    Ear ear{0, 3};
    {
        const Listener listener(&Ear::hear, &ear);
        CHECK(is_interrupted(run));
        CHECK(Listener::is_stopped());
    }
    CHECK(!Listener::is_stopped());
    CHECK(ear.asked == 3);
    CHECK(!ear.elsewhere);
}

}  // namespace

int main() {
    Poll idle;
    for (int i = 0; i < 10'000'000; ++i) idle();  // nobody listens

    check_stopped([] { work_for_ever(); });
    check_stopped([] { parallel_for(8, 2, [](std::int64_t) { work_for_ever(); }); });
    // The caller has nothing to do but to listen.
    check_stopped([] { parallel_for(2, 2, [](std::int64_t piece) { piece ? work_for_ever() : void(); }); });
    check_stopped([] {
        ThreadPool pool(2);
        pool.each(8, [](int, std::int64_t) { work_for_ever(); });
    });
    check_stopped([] {
        ThreadPool pool(3);
        pool.each(3, [](int thread, std::int64_t) { thread ? work_for_ever() : void(); });
        work_for_ever();  // if the caller was so quick that it did everything
    });
    check_stopped([] {
        parallel_for(2, 2, [](std::int64_t) {
            ThreadPool pool(2);
            pool.each(4, [](int, std::int64_t) { work_for_ever(); });
        });
    });

    // A call within a handler has a listener of its own.
    Ear outer{0, 1'000'000}, inner{0, 1};
    const Listener listener(&Ear::hear, &outer);
    {
        const Listener nested(&Ear::hear, &inner);
        CHECK(is_interrupted([] { work_for_ever(); }));
    }
    CHECK(!Listener::is_stopped());

    return check::result();
}
