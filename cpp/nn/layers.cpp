#include "nn/layers.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "base/dispatch.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"

namespace rlap {
namespace {

constexpr std::int64_t kPiece = 1 << 18;  // entries: less is done before another thread has begun
constexpr std::int64_t kBlock = 64;       // rows that are summed in the precision of the entries

// Two entries share 64 bits, those at the places 2k and 2k + 1. `place` is even: pieces are, and the caller's beginning
// is made so. Bits are drawn for many entries before any is looked at, so that both loops are vectors.
struct Drop {
    template <std::size_t, class T>
    RLAP_INLINE static void run(const T* in, T* out, std::int64_t count, std::int64_t place, const Drops& drops) {
        constexpr std::int64_t kDrawn = 512;
        std::uint64_t both[kDrawn / 2];
        std::uint32_t bits[kDrawn];
        const std::uint64_t key = mix(drops.seed);
        const std::uint32_t least = drops.least;
        const T scale = static_cast<T>(drops.scale);
        for (std::int64_t first = 0; first < count; first += kDrawn) {
            const std::uint64_t half = static_cast<std::uint64_t>(place + first) >> 1;
            for (std::uint64_t k = 0; k < kDrawn / 2; ++k) both[k] = mix(key + kGolden * (half + k));
            if constexpr (std::endian::native == std::endian::big)  // the low half is the first entry's everywhere
                for (std::uint64_t& pair : both) pair = std::rotl(pair, 32);
            std::memcpy(bits, both, sizeof bits);
            const std::int64_t here = std::min(kDrawn, count - first);
            for (std::int64_t i = 0; i < here; ++i) {
                const T kept = in[first + i] * scale;
                out[first + i] = bits[i] >= least ? kept : T{0};
            }
        }
    }
};

template <class T>
void drop_all(const T* in, T* out, std::int64_t count, const Drops& drops, int threads) {
    const std::int64_t odd = std::min<std::int64_t>(drops.begin & 1, count);
    if (odd) {
        T pair[2] = {T{0}, in[0]};
        run_widest<Drop>(pair, pair, 2, drops.begin - 1, drops);
        out[0] = pair[1];
    }
    parallel_for((count - odd + kPiece - 1) / kPiece, threads, [&](std::int64_t piece) {
        const std::int64_t first = odd + piece * kPiece;
        run_widest<Drop>(in + first, out + first, std::min(kPiece, count - first), drops.begin + first, drops);
    });
}

// Adds what the rows owe to the slopes. Columns are independent, so vectors change no bit.
struct Prelu {
    template <std::size_t, class T>
    RLAP_INLINE static void run(const T* x, const T* gradient, const T* slope, bool each, std::int64_t rows,
                                std::int64_t columns, T* to_x, T* sum) {
        const T shared = slope[0];
        for (std::int64_t r = 0; r < rows; ++r, x += columns, gradient += columns, to_x += columns)
            for (std::int64_t c = 0; c < columns; ++c) {
                const T s = each ? slope[c] : shared;
                const bool above = x[c] > T{0};
                const T below = s * gradient[c], owed = x[c] * gradient[c];  // not asked for: vectors have both anyway
                to_x[c] = above ? gradient[c] : below;
                sum[c] += above ? T{0} : owed;
            }
    }
};

template <class T>
void prelu_all(const PreluTask<T>& task, int threads) {
    const std::int64_t columns = task.columns;
    std::fill_n(task.to_slope, columns, 0.0);
    if (!columns) return;
    const std::int64_t height = std::max<std::int64_t>(kPiece / columns / kBlock, 1) * kBlock;
    const std::int64_t pieces = (task.rows + height - 1) / height;
    std::vector<double> total(static_cast<std::size_t>(pieces * columns), 0.0);
    parallel_for(pieces, threads, [&](std::int64_t piece) {
        std::vector<T> sum(static_cast<std::size_t>(columns));
        double* const mine = total.data() + piece * columns;
        const std::int64_t end = std::min((piece + 1) * height, task.rows);
        for (std::int64_t row = piece * height; row < end; row += kBlock) {
            const std::int64_t at = row * columns;
            std::fill(sum.begin(), sum.end(), T{0});
            run_widest<Prelu>(task.x + at, task.gradient + at, task.slope, task.each, std::min(kBlock, end - row),
                              columns, task.to_x + at, sum.data());
            for (std::int64_t c = 0; c < columns; ++c) mine[c] += static_cast<double>(sum[c]);
        }
    });
    for (std::int64_t piece = 0; piece < pieces; ++piece)
        for (std::int64_t c = 0; c < columns; ++c) task.to_slope[c] += total[piece * columns + c];
}

}  // namespace

void drop_entries(const float* in, float* out, std::int64_t count, const Drops& drops, int threads) {
    drop_all(in, out, count, drops, threads);
}
void drop_entries(const double* in, double* out, std::int64_t count, const Drops& drops, int threads) {
    drop_all(in, out, count, drops, threads);
}
void prelu_gradient(const PreluTask<float>& task, int threads) { prelu_all(task, threads); }
void prelu_gradient(const PreluTask<double>& task, int threads) { prelu_all(task, threads); }

}  // namespace rlap
