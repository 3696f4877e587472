#include "coins.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "random.hpp"

namespace rlap {
namespace {

// The graph of a node. Edges of one graph mostly come together, so the last one is tried first.
class GraphOf {
  public:
    explicit GraphOf(const EdgeCoins& coins) : first_(coins.first), graphs_(coins.graphs) {}

    std::int64_t operator()(std::int64_t node) {
        if (node < first_[last_] || node >= first_[last_ + 1]) find(node);
        return last_;
    }

  private:
    void find(std::int64_t node) {
        if (node < first_[0] || node >= first_[graphs_]) {
            std::ostringstream message;
            message << "edge_index must lie in [0, num_nodes) = [0, " << first_[graphs_] << ") (got " << node << ")";
            throw std::invalid_argument(message.str());
        }
        last_ = std::upper_bound(first_, first_ + graphs_ + 1, node) - first_ - 1;
    }

    const std::int64_t* first_;
    std::int64_t graphs_, last_ = 0;
};

}  // namespace

Buffer<double> toss(const EdgeCoins& coins) {
    Buffer<double> number(coins.edges);
    GraphOf graph_of_row(coins), graph_of_col(coins);
    for (std::int64_t e = 0; e < coins.edges; ++e) {
        const std::int64_t graph = graph_of_row(coins.row[e]);
        const auto u = static_cast<std::uint64_t>(coins.row[e] - coins.first[graph]);
        const auto v = static_cast<std::uint64_t>(coins.col[e] - coins.first[graph_of_col(coins.col[e])]);
        const std::uint64_t swap = (u ^ v) & -static_cast<std::uint64_t>(!coins.directed && v < u);
        const std::uint64_t key = (u ^ swap) << 32 | (v ^ swap);
        number[e] = uniform(mix(key * kGolden + coins.start[graph]));
    }
    return number;
}

}  // namespace rlap
