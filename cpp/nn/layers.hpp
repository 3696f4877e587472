// Parts of neural layers that torch does one number at a time: drawing what dropout drops, and the gradient of PReLU.
#pragma once

#include <cstdint>

namespace rlap {

// Which entries of a matrix stay, by their place in it: a pure function of the seed, so nothing has to be kept for the
// gradient, and a part of the rows draws what it would draw among all of them.
struct Drops {
    std::uint64_t seed;
    std::int64_t begin;   // the place of the first entry
    std::uint32_t least;  // an entry stays if its 32 bits are at least this
    double scale;         // of those that stay
};

void drop_entries(const float* in, float* out, std::int64_t count, const Drops& drops, int threads);
void drop_entries(const double* in, double* out, std::int64_t count, const Drops& drops, int threads);

template <class T>
struct PreluTask {
    std::int64_t rows, columns;
    const T *x, *gradient;
    const T* slope;    // one for all columns, or one for each
    bool each;         // whether it is one for each
    T* to_x;           // as large as x
    double* to_slope;  // by column, also where all have one slope
};

// The gradient of x where it is positive and slope * x where it is not. Sums are the same on any number of threads.
void prelu_gradient(const PreluTask<float>& task, int threads);
void prelu_gradient(const PreluTask<double>& task, int threads);

}  // namespace rlap
