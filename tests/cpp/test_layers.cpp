// What is dropped follows from the seed and the place alone; slopes get the sums that a plain loop gets.
#include "base/random.hpp"
#include "check.hpp"
#include "nn/layers.hpp"

namespace {

using namespace rlap;

std::vector<double> numbers(std::int64_t count, std::uint64_t seed) {
    Stream stream(seed);
    std::vector<double> made(static_cast<std::size_t>(count));
    for (double& one : made) one = uniform(stream.next()) - 0.5;
    return made;
}

// Against one entry after the other, from even and odd places, beyond one piece.
void places() {
    for (const std::int64_t begin : {0, 1, 6, 7})
        for (const std::int64_t count : {0, 1, 2, 511, 512, 513, 270'001}) {
            const std::vector<double> in = numbers(count, 1);
            std::vector<double> out(in.size(), -1.0);
            const Drops drops{5, begin, 1u << 30, 2.0};
            drop_entries(in.data(), out.data(), count, drops, 2);
            for (std::int64_t i = 0; i < count; ++i) {
                const auto place = static_cast<std::uint64_t>(begin + i);
                const std::uint64_t both = mix(mix(5) + kGolden * (place / 2));
                const auto bits = static_cast<std::uint32_t>(place % 2 ? both >> 32 : both);
                CHECK(out[i] == (bits >= drops.least ? in[i] * 2.0 : 0.0));
            }
        }
}

void slopes() {
    for (const bool each : {false, true})
        for (const std::int64_t rows : {0, 1, 64, 65, 5000}) {
            const std::int64_t columns = 70;
            const std::vector<double> x = numbers(rows * columns, 2), gradient = numbers(rows * columns, 3);
            const std::vector<double> slope = numbers(each ? columns : 1, 4);
            std::vector<double> to_x(x.size()), to_slope(columns, -1.0), expected(columns, 0.0);
            prelu_gradient({rows, columns, x.data(), gradient.data(), slope.data(), each, to_x.data(), to_slope.data()},
                           3);
            for (std::int64_t i = 0; i < rows * columns; ++i) {
                const std::int64_t c = i % columns;
                CHECK(to_x[i] == (x[i] > 0 ? gradient[i] : slope[each ? c : 0] * gradient[i]));
                if (x[i] <= 0) expected[c] += x[i] * gradient[i];
            }
            for (std::int64_t c = 0; c < columns; ++c) CHECK(std::abs(to_slope[c] - expected[c]) <= 1e-11);
        }
}

}  // namespace

int main() {
    places();
    slopes();
    return check::result();
}
