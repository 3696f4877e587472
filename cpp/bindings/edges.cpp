// Random numbers of nodes and edges, edges that stay, and how arrays are told apart.
#include "arrays.hpp"
#include "base/fingerprint.hpp"
#include "modules.hpp"
#include "sampling/edge_subset.hpp"
#include "sampling/keyed_uniform.hpp"

namespace rlap {
namespace {

using Index = In2<std::int64_t>;
using Pair = nb::ndarray<nb::numpy, std::int64_t, nb::shape<2, -1>>;
using Given = std::tuple<Out<std::int64_t>, Pair>;

Ends check_ends(const Index& index) {
    require(index.shape(0) == 2, "edge_index must have the shape (2, edges)", index.shape(0), index.shape(1));
    const auto edges = static_cast<std::int64_t>(index.shape(1));
    return {edges, index.data(), index.data() + edges};
}

Given give_staying(EdgeSubset& found) {
    const std::size_t count = found.place.size();
    std::int64_t* const ends = found.ends.data();
    return {give(found.place), Pair(ends, {2, count}, owner(found.ends))};
}

Given run_drop(const Index& index, const In<std::int64_t>& first, const In<std::uint64_t>& start, bool directed,
               std::int64_t least, const std::optional<In<std::int64_t>>& leasts, int threads) {
    const Ends ends = check_ends(index);
    require(first.shape(0) == start.shape(0) + 1, "first must have one value more than start", first.shape(0),
            start.shape(0));
    require(start.shape(0) > 0 || ends.edges == 0, "edges must belong to a graph (got no graph)");
    const Buffer<std::int64_t> firsts = copy(first);
    require(firsts[0] >= 0, "first must not be negative", firsts[0]);
    for (std::size_t g = 0; g < start.shape(0); ++g)
        require(firsts[g] <= firsts[g + 1], "first must not fall", firsts[g], firsts[g + 1]);
    require(!leasts || static_cast<std::int64_t>(leasts->shape(0)) == ends.edges,
            "leasts must have a value for every edge", ends.edges);
    const KeyedEdges coins{ends, static_cast<std::int64_t>(start.shape(0)), firsts.data(), start.data(), directed};
    EdgeSubset found = unlocked([&] { return drop_edges(coins, least, leasts ? leasts->data() : nullptr, threads); });
    return give_staying(found);
}

const std::uint8_t* marks(const std::optional<In<bool>>& mask) {
    return mask ? reinterpret_cast<const std::uint8_t*>(mask->data()) : nullptr;
}

Given run_between(const Index& index, const std::optional<In<bool>>& row_stays,
                  const std::optional<In<bool>>& col_stays, int threads) {
    const Ends ends = check_ends(index);
    const auto size = [](const std::optional<In<bool>>& mask) {
        return mask ? static_cast<std::int64_t>(mask->shape(0)) : 0;
    };
    EdgeSubset found = unlocked([&] {
        return induced_edges(ends, size(row_stays), marks(row_stays), size(col_stays), marks(col_stays), threads);
    });
    return give_staying(found);
}

Out<double> run_coins(const In<std::uint64_t>& key, const std::optional<In<std::int64_t>>& graph,
                      const In<std::uint64_t>& start) {
    const auto count = static_cast<std::int64_t>(key.shape(0));
    require(!graph || graph->shape(0) == key.shape(0), "graph must have a value for every key", key.shape(0));
    const auto graphs = static_cast<std::int64_t>(start.shape(0));
    require(graph || graphs > 0 || count == 0, "keys must belong to a graph (got no graph)");
    Buffer<double> number = unlocked(
        [&] { return keyed_uniforms(key.data(), count, graph ? graph->data() : nullptr, start.data(), graphs); });
    return give(number);
}

// Of the columns between two bounds each, in all rows.
Out<std::uint64_t> run_fingerprints(const nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>& array,
                                    const In<std::int64_t>& bounds) {
    const Buffer<std::int64_t> bound = copy(bounds);
    const std::size_t parts = bound.empty() ? 0 : bound.size() - 1, columns = array.shape(1);
    for (std::size_t part = 0; part < parts; ++part)
        require(
            bound[part] >= 0 && bound[part] <= bound[part + 1] && static_cast<std::size_t>(bound[part + 1]) <= columns,
            "bounds must rise, from 0 to the number of columns", bound[part], bound[part + 1]);
    Buffer<std::uint64_t> found = unlocked([&] {
        Buffer<std::uint64_t> all(parts, 0);
        const auto* data = static_cast<const unsigned char*>(array.data());
        for (std::size_t part = 0; part < parts; ++part)
            for (std::size_t row = 0; row < array.shape(0); ++row) {
                const auto begin = static_cast<std::size_t>(bound[part]);
                const std::size_t size = static_cast<std::size_t>(bound[part + 1]) - begin;
                const void* place = data + (row * columns + begin) * array.itemsize();
                all[part] = mix(all[part] + kGolden + fingerprint(place, size * array.itemsize()));
            }
        return all;
    });
    return give(found);
}

}  // namespace

void bind_edges(nb::module_& module) {
    module.def(
        "coin_starts",
        [](std::uint64_t seed, std::int64_t graphs) {
            require(graphs >= 0, "graphs must not be negative", graphs);
            Buffer<std::uint64_t> start = stream_starts(seed, graphs);
            return give(start);
        },
        "seed"_a, "graphs"_a);
    module.def("coins", &run_coins, "key"_a, "graph"_a.none(), "start"_a);
    module.def("drop_edges", &run_drop, "index"_a, "first"_a, "start"_a, "directed"_a, "least"_a, "leasts"_a.none(),
               "threads"_a);
    module.def("edges_between", &run_between, "index"_a, "row_stays"_a.none(), "col_stays"_a.none(), "threads"_a);
    module.def(
        "fingerprint",
        [](const nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>& array, int threads) {
            return unlocked([&] { return fingerprint(array.data(), array.nbytes(), threads); });
        },
        "array"_a, "threads"_a);
    module.def("fingerprints", &run_fingerprints, "array"_a, "bounds"_a);
}

}  // namespace rlap
