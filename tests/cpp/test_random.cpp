// The generator against SplitMix64's published outputs, and its draws against their distributions.
#include <set>

#include "base/random.hpp"
#include "check.hpp"

namespace {

using namespace rlap;

void known_answers() {
    Stream zero(0);
    for (const std::uint64_t expected :
         {0xE220A8397B1DCDAFULL, 0x6E789E6AA1B965F4ULL, 0x06C45D188009454FULL, 0xF88BB8A8724C81ECULL})
        CHECK(zero.next() == expected);
    Stream other(1234567);
    for (const std::uint64_t expected : {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
                                         4593380528125082431ULL, 16408922859458223821ULL})
        CHECK(other.next() == expected);
    CHECK(mix(0) == 0);
}

void ends_of_the_ranges() {
    CHECK(uniform(0) == 0);
    CHECK(uniform(~0ULL) == 1 - 0x1p-53);
    CHECK(uniform(1ULL << 11) == 0x1p-53);
    for (const std::uint64_t bound : {1ULL, 2ULL, 3ULL, 1000ULL, 1ULL << 32, ~0ULL}) {
        CHECK(below(0, bound) == 0);
        CHECK(below(~0ULL, bound) == bound - 1);
        CHECK(below(1ULL << 63, bound) == bound / 2);
    }
}

// Without integers of 128 bits: each carry occurs among these, and (2^64 - 1)^2 = 2^128 - 2^65 + 1.
void products_by_halves() {
    const std::uint64_t some[] = {0, 1, 0xFFFFFFFF, 1ULL << 32, (1ULL << 32) + 1, 1ULL << 63, ~0ULL, kGolden, ~kGolden};
    for (const std::uint64_t a : some)
        for (const std::uint64_t b : some) {
            const Product one = multiply_by_halves(a, b), other = multiply(a, b);
            CHECK(one.low == other.low && one.high == other.high);
        }
    CHECK(multiply_by_halves(~0ULL, ~0ULL).low == 1 && multiply_by_halves(~0ULL, ~0ULL).high == ~0ULL - 1);
}

void distributions() {
    for (const std::uint64_t bound : {2, 3, 7, 64, 1000}) {
        Stream draws(bound);
        std::vector<std::int64_t> counts(bound, 0), thirds(bound, 0);
        for (std::uint64_t i = 0; i < 200 * bound; ++i) {
            ++counts[draws.next_below(bound)];
            ++thirds[static_cast<std::size_t>(uniform(draws.next()) * static_cast<double>(bound))];
        }
        CHECK(check::even(counts));
        CHECK(check::even(thirds));
    }
    // Streams of neighbouring keys must not resemble each other: pairs of first draws.
    std::vector<std::int64_t> pairs(64, 0);
    for (std::uint64_t i = 0; i < 20000; ++i)
        ++pairs[8 * Stream(derive(5, Purpose::node, i)).next_below(8) +
                Stream(derive(5, Purpose::node, i + 1)).next_below(8)];
    CHECK(check::even(pairs));
}

void seeds_are_kept_apart() {
    CHECK(derive_seed(99, 0, 0) == 99);
    std::set<std::uint64_t> seen;
    for (const std::uint64_t seed : {0, 1, 2})
        for (std::uint64_t view = 0; view < 30; ++view)
            for (std::uint64_t graph = 0; graph < 30; ++graph) seen.insert(derive_seed(seed, view, graph));
    CHECK(seen.size() == 3 * 30 * 30);
    for (const Purpose purpose : {Purpose::order, Purpose::node, Purpose::walk, Purpose::graph, Purpose::view})
        for (std::uint64_t index = 0; index < 1000; ++index) seen.insert(derive(7, purpose, index));
    CHECK(seen.size() == 3 * 30 * 30 + 5 * 1000);
}

}  // namespace

int main() {
    known_answers();
    ends_of_the_ranges();
    products_by_halves();
    distributions();
    seeds_are_kept_apart();
    return check::result();
}
