// A row log that several threads write to, each to the buckets that it owns: bucket b belongs to owner b % owners.
#pragma once

#include <span>
#include <vector>

#include "edge_log.hpp"

namespace rlap {

class OwnedLogs {
  public:
    OwnedLogs(int owners, Node rows, std::size_t spare = 0) {
        log_.reserve(owners);
        for (int t = 0; t < owners; ++t) log_.emplace_back(rows, spare);
        owner_.resize(log_[0].log.buckets());
        for (std::size_t bucket = 0; bucket < owner_.size(); ++bucket)
            owner_[bucket] = static_cast<std::uint16_t>(bucket % log_.size());
    }

    std::size_t owners() const { return log_.size(); }
    // From a table: a division for every edge would cost more than the edge.
    std::size_t owner(std::size_t bucket) const { return owner_[bucket]; }
    std::size_t row_bucket(Node row) const { return log_[0].spare + (static_cast<std::size_t>(row) >> log_[0].shift); }
    int shift() const { return log_[0].shift; }

    EdgeLog& of(std::size_t owner) { return log_[owner].log; }
    void push(std::size_t bucket, const Edge& edge) { log_[owner_[bucket]].log.push(bucket, edge); }
    void push_row(const Edge& edge) { push(row_bucket(edge.low), edge); }

    std::span<RowLog> all() { return log_; }

  private:
    std::vector<RowLog> log_;
    Buffer<std::uint16_t> owner_;  // by bucket
};

}  // namespace rlap
