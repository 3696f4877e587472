// Where a new edge goes: the bucket in which its low end will look for it, or the row in which it stays.
#pragma once

#include "labels.hpp"

namespace rlap {

struct Placing {
    Placing(const Labels& labels, int label_shift, int row_shift)
        : gone(labels.gone),
          to_row(labels.row_base - labels.gone),
          blocks(labels.blocks),
          label_shift(label_shift),
          row_shift(row_shift) {}

    struct Place {
        Node low, high, bucket;
        Node stays;  // all bits set if the edge does, or none
    };
    // Without a branch on which end is the lower and whether it stays.
    Place of(const NewEdge& edge) const {
        const Node over = edge.x - edge.y, swap = over & (over >> 31);
        const Node stays = -static_cast<Node>(edge.y + swap >= gone);
        const Node low = edge.y + swap + (to_row & stays), high = edge.x - swap + (to_row & stays);
        return {low, high, bucket(low, stays), stays};
    }
    // An edge that has yet to go there says by the sign of its low end whether it stays.
    static Edge on_its_way(const Place& at, double weight) { return {at.low ^ at.stays, at.high, weight}; }
    Place arrived(const Edge& edge) const {
        const Node stays = edge.low >> 31, low = edge.low ^ stays;
        return {low, edge.high, bucket(low, stays), stays};
    }
    Node bucket(Node low, Node stays) const {
        return (low >> (label_shift + ((row_shift - label_shift) & stays))) + (blocks & stays);
    }

    Node gone, to_row, blocks;
    int label_shift, row_shift;
};

}  // namespace rlap
