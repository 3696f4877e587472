// Edges stay by their own numbers, whatever stands around them, and as often as chance says.
#include <set>

#include "base/fingerprint.hpp"
#include "check.hpp"
#include "sampling/edge_subset.hpp"
#include "sampling/keyed_uniform.hpp"

namespace {

using namespace rlap;

constexpr std::int64_t kLeast = std::int64_t{3} << 51;  // of 2^53

struct Edges {
    std::vector<std::int64_t> row, col;
    Ends ends() const { return {static_cast<std::int64_t>(row.size()), row.data(), col.data()}; }
};

// Edges between neighbours and between far ones, in no order.
Edges ring(std::int64_t nodes, std::int64_t edges) {
    Edges made;
    for (std::int64_t e = 0; e < edges; ++e) {
        made.row.push_back(e * 7919 % nodes);
        made.col.push_back((e * 104729 + e / nodes) % nodes);
    }
    return made;
}

// Against the numbers one by one; also where the last word is not full.
void numbers() {
    for (const std::int64_t count : {0, 1, 63, 64, 65, 16384, 16385, 40001}) {
        const Edges edges = ring(1000, count);
        const std::int64_t first[] = {0, 1000};
        const Buffer<std::uint64_t> start = stream_starts(3, 1);
        const KeyedEdges coins{edges.ends(), 1, first, start.data(), false};
        const EdgeSubset found = drop_edges(coins, kLeast, nullptr, 1);
        std::size_t k = 0;
        for (std::int64_t e = 0; e < count; ++e) {
            const auto low = static_cast<std::uint64_t>(std::min(edges.row[e], edges.col[e]));
            const auto high = static_cast<std::uint64_t>(std::max(edges.row[e], edges.col[e]));
            if (static_cast<std::int64_t>(keyed_bits(low << 32 | high, start[0])) < kLeast) continue;
            CHECK(k < found.place.size() && found.place[k] == e);
            CHECK(found.ends[k] == edges.row[e] && found.ends[found.place.size() + k] == edges.col[e]);
            ++k;
        }
        CHECK(k == found.place.size());
    }
}

void frequencies() {
    const Edges edges = ring(200'000, 200'000);
    const std::int64_t first[] = {0, 200'000};
    const Buffer<std::uint64_t> start = stream_starts(8, 1);
    const KeyedEdges coins{edges.ends(), 1, first, start.data(), true};
    for (const double kept : {0.25, 0.6}) {
        const std::vector<std::int64_t> leasts(200'000, static_cast<std::int64_t>((1 - kept) * 0x1p53));
        const double mean = kept * 200'000, deviation = std::sqrt(mean * (1 - kept));
        const auto found = static_cast<double>(drop_edges(coins, 0, leasts.data(), 2).place.size());
        CHECK(std::abs(found - mean) <= check::kMostDeviations * deviation);
    }
}

void strangers() {
    const Edges edges{{0, 5}, {1, 2}};
    const std::int64_t first[] = {0, 3, 5};
    const Buffer<std::uint64_t> start = stream_starts(0, 2);
    const KeyedEdges coins{edges.ends(), 2, first, start.data(), false};
    CHECK_THROWS("[0, 5) (got 5)", drop_edges(coins, kLeast, nullptr, 1));
    const std::uint8_t marks[] = {1, 1, 0, 1, 1};
    CHECK_THROWS("[0, 5) (got 5)", induced_edges(edges.ends(), 5, marks, 5, marks, 1));
    const EdgeSubset found = induced_edges(edges.ends(), 0, nullptr, 5, marks, 1);
    CHECK(found.place.size() == 1 && found.place[0] == 0);
}

void fingerprints() {
    std::vector<unsigned char> data(300'007);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(mix(i));
    std::set<std::uint64_t> seen;
    for (std::size_t size = 0; size <= 200; ++size) seen.insert(fingerprint(data.data(), size, 1));
    for (std::size_t at = 0; at < data.size(); at += 9973) {
        data[at] ^= 1;
        seen.insert(fingerprint(data.data(), data.size(), 1));
        data[at] ^= 1;
    }
    CHECK(seen.size() == 201 + (data.size() + 9972) / 9973);
    CHECK(fingerprint(data.data(), data.size(), 1) == fingerprint(data.data(), data.size(), 3));
}

}  // namespace

int main() {
    numbers();
    frequencies();
    strangers();
    fingerprints();
    return check::result();
}
