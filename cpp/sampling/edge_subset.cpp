#include "sampling/edge_subset.hpp"

#include <algorithm>
#include <bit>
#include <sstream>
#include <stdexcept>

#include "base/dispatch.hpp"
#include "base/parallel.hpp"
#include "sampling/keyed_uniform.hpp"

namespace rlap {
namespace {

constexpr std::int64_t kWord = 64, kPiece = 1 << 14;  // edges
constexpr std::int64_t kWorthThreads = 1 << 18;       // below, starting a thread takes as long as it saves

[[noreturn]] void refuse(std::int64_t nodes, std::int64_t node) {
    std::ostringstream message;
    message << "edge_index must lie in [0, num_nodes) = [0, " << nodes << ") (got " << node << ")";
    throw std::invalid_argument(message.str());
}

bool among(std::int64_t node, std::int64_t nodes) {
    return static_cast<std::uint64_t>(node) < static_cast<std::uint64_t>(nodes);
}

// Finds the edges that stay: first as bits, to know how many there are, and then their places and ends.
// `make()` gives a function that says it of at most 64 edges in a row, as bits; each piece of them has its own.
template <class Make>
EdgeSubset collect(const Ends& ends, int threads, const Make& make) {
    const std::int64_t pieces = (ends.edges + kPiece - 1) / kPiece;
    if (ends.edges < kWorthThreads) threads = 1;
    Buffer<std::uint64_t> word((ends.edges + kWord - 1) / kWord);
    Buffer<std::int64_t> before(pieces + 1);
    parallel_for(pieces, threads, [&](std::int64_t piece) {
        const std::int64_t begin = piece * kPiece, end = std::min(ends.edges, begin + kPiece);
        auto stays = make();
        std::int64_t count = 0;
        for (std::int64_t base = begin; base < end; base += kWord) {
            const std::uint64_t bits = stays(base, std::min(kWord, end - base));
            word[base / kWord] = bits;
            count += std::popcount(bits);
        }
        before[piece + 1] = count;
    });
    before[0] = 0;
    for (std::int64_t piece = 0; piece < pieces; ++piece) before[piece + 1] += before[piece];

    const std::int64_t count = before[pieces];
    EdgeSubset found{Buffer<std::int64_t>(count), Buffer<std::int64_t>(2 * count)};
    parallel_for(pieces, threads, [&](std::int64_t piece) {
        const std::int64_t begin = piece * kPiece, end = std::min(ends.edges, begin + kPiece);
        std::int64_t* place = found.place.data() + before[piece];
        std::int64_t* row = found.ends.data() + before[piece];
        std::int64_t* col = row + count;
        for (std::int64_t base = begin; base < end; base += kWord)
            for (std::uint64_t bits = word[base / kWord]; bits; bits &= bits - 1) {
                const std::int64_t e = base + std::countr_zero(bits);
                *place++ = e;
                *row++ = ends.row[e];
                *col++ = ends.col[e];
            }
    });
    return found;
}

// The key of an edge between u and v, which are numbers in its graph: the lesser first, if it is `undirected`.
inline std::uint64_t key(std::uint64_t u, std::uint64_t v, std::uint64_t undirected) {
    const std::uint64_t swap = (u ^ v) & -static_cast<std::uint64_t>(v < u) & undirected;
    return (u ^ swap) << 32 | (v ^ swap);
}

struct Home {
    std::uint64_t first, nodes, start, undirected;
};

// The bits of the `count` numbers of edges in one graph; true if all have their ends there.
struct TossAtHome {
    template <std::size_t>
    RLAP_INLINE static bool run(const std::int64_t* row, const std::int64_t* col, std::int64_t count, const Home& home,
                                std::int64_t* bits) {
        const auto [first, nodes, start, undirected] = home;
        std::uint64_t strangers = 0;
        for (std::int64_t e = 0; e < count; ++e) {
            const std::uint64_t u = static_cast<std::uint64_t>(row[e]) - first;
            const std::uint64_t v = static_cast<std::uint64_t>(col[e]) - first;
            strangers |= static_cast<std::uint64_t>(u >= nodes) | static_cast<std::uint64_t>(v >= nodes);
            bits[e] = static_cast<std::int64_t>(keyed_bits(key(u, v, undirected), start));
        }
        return strangers == 0;
    }
};

// A bit for each of the `count` numbers: whether it is at least `least`, or its own one of `leasts`.
struct AtLeast {
    template <std::size_t>
    RLAP_INLINE static std::uint64_t run(const std::int64_t* bits, std::int64_t count, std::int64_t least,
                                         const std::int64_t* leasts) {
        std::uint64_t stays = 0;
        for (std::int64_t e = 0; e < count; ++e)
            stays |= static_cast<std::uint64_t>(bits[e] >= (leasts ? leasts[e] : least)) << e;
        return stays;
    }
};

// The numbers of edges, which mostly come graph by graph.
class Tosses {
  public:
    explicit Tosses(const KeyedEdges& coins) : coins_(coins) {}

    void operator()(std::int64_t begin, std::int64_t count, std::int64_t* bits) {
        const std::int64_t *row = coins_.ends.row + begin, *col = coins_.ends.col + begin;
        if (run_widest<TossAtHome>(row, col, count, home(), bits)) return;
        for (std::int64_t e = 0; e < count; ++e) {
            const std::uint64_t v = at_home(read_once(col + e)), u = at_home(read_once(row + e));
            bits[e] = static_cast<std::int64_t>(keyed_bits(key(u, v, home().undirected), coins_.start[graph_]));
        }
    }

  private:
    Home home() const {
        const std::int64_t first = coins_.first[graph_];
        return {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(coins_.first[graph_ + 1] - first),
                coins_.start[graph_], coins_.directed ? 0 : ~std::uint64_t{0}};
    }
    // The number of a node within its graph, which is the one at hand from now on.
    std::uint64_t at_home(std::int64_t node) {
        const std::int64_t* const end = coins_.first + coins_.graphs;
        if (node < coins_.first[graph_] || node >= coins_.first[graph_ + 1]) {
            if (node < *coins_.first || node >= *end) refuse(*end, node);
            graph_ = std::upper_bound(coins_.first, end + 1, node) - coins_.first - 1;
        }
        return static_cast<std::uint64_t>(node - coins_.first[graph_]);
    }

    const KeyedEdges coins_;
    std::int64_t graph_ = 0;
};

}  // namespace

EdgeSubset drop_edges(const KeyedEdges& coins, std::int64_t least, const std::int64_t* leasts, int threads) {
    return collect(coins.ends, threads, [&] {
        return [&, tosses = Tosses(coins)](std::int64_t begin, std::int64_t count) mutable {
            std::int64_t bits[kWord];
            tosses(begin, count, bits);
            return run_widest<AtLeast>(bits, count, least, leasts ? leasts + begin : nullptr);
        };
    });
}

EdgeSubset induced_edges(const Ends& ends, std::int64_t rows, const std::uint8_t* row_stays, std::int64_t cols,
                         const std::uint8_t* col_stays, int threads) {
    const auto look = [](const std::uint8_t* marks, std::int64_t nodes, std::int64_t node) {
        if (!among(node, nodes)) refuse(nodes, node);
        return marks[node] != 0;
    };
    return collect(ends, threads, [&] {
        return [&](std::int64_t begin, std::int64_t count) {
            std::uint64_t stays = 0;
            for (std::int64_t e = 0; e < count; ++e) {
                const bool row = !row_stays || look(row_stays, rows, read_once(ends.row + begin + e));
                const bool col = !col_stays || look(col_stays, cols, read_once(ends.col + begin + e));
                stays |= static_cast<std::uint64_t>(row & col) << e;
            }
            return stays;
        };
    });
}

}  // namespace rlap
