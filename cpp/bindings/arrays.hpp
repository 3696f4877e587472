// Arrays between Python and the core: their types, how rules are told, and how results are given away.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/buffer.hpp"
#include "base/interrupt.hpp"

namespace rlap {

namespace nb = nanobind;
using namespace nb::literals;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using In2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using AnyIn = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// The rule, and the value or values that break it.
template <class... Got>
void require(bool holds, const char* rule, const Got&... got) {
    if (holds) return;
    std::ostringstream message;
    message << rule;
    const char* gap = " (got ";
    ((message << std::exchange(gap, ", ") << got), ...);
    if (sizeof...(got) > 0) message << ")";
    throw std::invalid_argument(message.str());
}

// A copy of the caller's array. Other threads may write to that at any time, with or without the interpreter's lock:
// what is checked must be what is used.
template <class T, class... Shape>
Buffer<T> copy(const nb::ndarray<const T, Shape...>& array) {
    Buffer<T> own(array.size());
    std::copy_n(array.data(), array.size(), own.begin());
    return own;
}

// Truth values, as 0 or 1 whatever bytes there are.
inline Buffer<std::uint8_t> copy(const In<bool>& mask) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(mask.data());
    Buffer<std::uint8_t> own(mask.size());
    std::transform(bytes, bytes + mask.size(), own.begin(), [](std::uint8_t byte) { return byte != 0; });
    return own;
}

// What owns the memory of an array that Python has.
template <class T>
nb::capsule owner(Buffer<T>& buffer) {
    auto* kept = new Buffer<T>(std::move(buffer));
    return nb::capsule(kept, [](void* block) noexcept { delete static_cast<Buffer<T>*>(block); });
}

template <class T>
Out<T> give(Buffer<T>& buffer) {
    const std::size_t size = buffer.size();
    T* const data = buffer.data();
    return Out<T>(data, {size}, owner(buffer));
}

// What Python may read, but not change, as long as its owner is there.
template <class T>
nb::ndarray<nb::numpy, const T, nb::ndim<1>> look(const Buffer<T>& buffer, nb::handle owner) {
    return {buffer.data(), {buffer.size()}, owner};
}

// Bytes that are 0 or 1, as truth values.
inline Out<bool> give_mask(Buffer<std::uint8_t>& buffer) {
    const std::size_t size = buffer.size();
    auto* const mask = reinterpret_cast<bool*>(buffer.data());
    return Out<bool>(mask, {size}, owner(buffer));
}

// Without the interpreter's lock, but with an ear for signals: a handler runs here, if this is the main thread, and
// what it raises stops the call.
class Unlocked {
  public:
    Unlocked() : state_(PyEval_SaveThread()), listener_(&hear, this) {}
    ~Unlocked() { PyEval_RestoreThread(state_); }

  private:
    static bool hear(void* self) {
        PyThreadState*& state = static_cast<Unlocked*>(self)->state_;
        PyEval_RestoreThread(state);
        const bool raised = PyErr_CheckSignals() != 0;  // the exception waits in the state of the thread
        state = PyEval_SaveThread();
        return raised;
    }

    PyThreadState* state_;
    Listener listener_;
};

// What `run` computes, while other threads of Python go on.
template <class Run>
auto unlocked(const Run& run) {
    try {
        const Unlocked unlocked;
        return run();
    } catch (...) {
        if (PyErr_Occurred()) nb::raise_python_error();
        throw;
    }
}

}  // namespace rlap
