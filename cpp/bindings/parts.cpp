// Parts of a graph that no process holds.
#include "arrays.hpp"
#include "graph/cluster.hpp"
#include "modules.hpp"
#include "schur/part.hpp"

namespace rlap {
namespace {

Buffer<Node> copy_nodes(const In<Node>& array, std::size_t nodes) {
    Buffer<Node> own = copy(array);
    for (const Node u : own) require(u >= 0 && static_cast<std::size_t>(u) < nodes, "a node must lie in its part", u);
    return own;
}

nb::tuple run_part(const In<Node>& source, const In<Node>& target, const In<double>& weight, const In<bool>& filled,
                   const In<std::int64_t>& id, const In<Node>& order, NeighborOrder neighbor_order,
                   std::uint64_t seed) {
    const std::size_t edges = source.shape(0), nodes = id.shape(0);
    require(target.shape(0) == edges && weight.shape(0) == edges && filled.shape(0) == edges,
            "source, target, weight and filled must have the same length", edges);
    require(nodes < std::size_t{1} << 31, "a part must have fewer than 2**31 nodes", nodes);
    const Buffer<Node> gone = copy_nodes(order, nodes);
    Buffer<std::uint8_t> seen(nodes, 0);
    for (const Node u : gone) require(!std::exchange(seen[u], 1), "a node may be given only once", u);
    const Buffer<std::int64_t> ids = copy(id);
    for (std::size_t u = 1; u < nodes; ++u) require(ids[u] > ids[u - 1], "ids must rise", ids[u]);
    const RawEdges raw{static_cast<std::int64_t>(edges), source.data(), target.data(), weight.data(),
                       reinterpret_cast<const std::uint8_t*>(filled.data())};
    PartEdges left = unlocked([&] {
        PartEdges merged = merge_edges(raw, static_cast<Node>(nodes));
        if (gone.empty()) return merged;
        return eliminate_part({merged, static_cast<Node>(nodes), ids.data(), gone.data(),
                               static_cast<Node>(gone.size()), neighbor_order, seed});
    });
    return nb::make_tuple(give(left.low), give(left.high), give(left.weight), give_mask(left.filled));
}

nb::tuple run_part_walks(const In<std::int64_t>& start, const In<Node>& to, const In<double>& weight,
                         const In<std::uint64_t>& key, const In<std::int64_t>& step, const In<Node>& place,
                         const In<double>& length) {
    const Buffer<std::int64_t> starts = copy(start);
    require(!starts.empty() && starts[0] == 0, "start must rise from 0");
    const std::size_t nodes = starts.size() - 1, walks = key.shape(0);
    require(nodes < std::size_t{1} << 31, "a part must have fewer than 2**31 nodes", nodes);
    for (std::size_t u = 0; u < nodes; ++u) require(starts[u] <= starts[u + 1], "start must not fall", starts[u + 1]);
    require(starts[nodes] == static_cast<std::int64_t>(to.shape(0)) && weight.shape(0) == to.shape(0),
            "to and weight must have one value for every edge", to.shape(0), weight.shape(0));
    require(step.shape(0) == walks && place.shape(0) == walks && length.shape(0) == walks,
            "key, step, place and length must have the same length", walks);
    Buffer<Node> places = copy_nodes(place, nodes);
    Buffer<std::int64_t> steps = copy(step);
    Buffer<double> lengths = copy(length);
    unlocked([&] {
        walk_part({starts.data(), to.data(), weight.data(), static_cast<std::int64_t>(walks), key.data(), steps.data(),
                   places.data(), lengths.data()},
                  static_cast<Node>(nodes));
    });
    return nb::make_tuple(give(steps), give(places), give(lengths));
}

template <class T>
using InOut = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void run_clusters(const In<std::int64_t>& source, const In<std::int64_t>& target, const InOut<std::int64_t>& cluster,
                  const InOut<std::int32_t>& degree, const InOut<std::int64_t>& volume, std::int64_t most, bool count) {
    const auto nodes = static_cast<std::int64_t>(cluster.shape(0));
    require(source.shape(0) == target.shape(0), "source and target must have the same length", source.shape(0));
    require(degree.shape(0) == cluster.shape(0) && volume.shape(0) == cluster.shape(0),
            "cluster, degree and volume must have one value for every node", nodes);
    unlocked([&] {
        cluster_edges({nodes, static_cast<std::int64_t>(source.shape(0)), source.data(), target.data(), cluster.data(),
                       degree.data(), volume.data(), most, count});
    });
}

}  // namespace

void bind_parts(nb::module_& module) {
    module.def("eliminate_part", &run_part, "source"_a, "target"_a, "weight"_a, "filled"_a, "id"_a, "order"_a,
               "neighbor_order"_a, "seed"_a);
    module.def("walk_part", &run_part_walks, "start"_a, "to"_a, "weight"_a, "key"_a, "step"_a, "place"_a, "length"_a);
    module.def("cluster_edges", &run_clusters, "source"_a, "target"_a, "cluster"_a, "degree"_a, "volume"_a, "most"_a,
               "count"_a);
}

}  // namespace rlap
