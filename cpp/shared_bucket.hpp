// One bucket of an edge log, sorted by low end by several threads.
#pragma once

#include <atomic>
#include <vector>

#include "edge_log.hpp"
#include "team.hpp"

namespace rlap {

class SharedBucket {
  public:
    // Takes the edges of a bucket whose low ends are first .. first + width - 1, and empties it. The edges of one low
    // end stay in the order in which they came. Calls inside(low, high) for every edge with both ends in the bucket,
    // from any thread.
    template <class Inside>
    void take(EdgeLog& log, std::size_t bucket, Node first, Node width, Team& team, const Inside& inside) {
        first_ = first;
        run_.clear();
        std::size_t edges = 0;
        log.each_run(bucket, [&](std::span<const Edge> run) {
            run_.push_back(run);
            edges += run.size();
        });
        const auto parts = static_cast<std::size_t>(edges < kLeastEdges ? 1 : team.size());
        at_.resize(parts);
        arrival_.resize(edges);
        begin_.resize(width + 1);
        team.each(parts, [&](int, std::int64_t part) {
            Buffer<std::int64_t>& count = at_[part];
            count.resize(width);
            std::fill(count.begin(), count.end(), 0);
            each(part, [&](const Edge& edge) { ++count[edge.low - first]; });
        });
        std::int64_t at = 0;
        for (Node i = 0; i < width; ++i) {
            begin_[i] = at;
            for (Buffer<std::int64_t>& part : at_) at += std::exchange(part[i], at);
        }
        begin_[width] = at;
        team.each(parts, [&](int, std::int64_t part) {
            Buffer<std::int64_t>& place = at_[part];
            each(part, [&](const Edge& edge) {
                arrival_[place[edge.low - first]++] = {edge.weight, edge.high};
                if (edge.high - first < width) inside(edge.low, edge.high);
            });
        });
        log.clear(bucket, log);
    }
    std::span<const Arrival> of(Node low) const {
        const std::int64_t* begin = begin_.data() + (low - first_);
        return {arrival_.data() + begin[0], static_cast<std::size_t>(begin[1] - begin[0])};
    }

  private:
    static constexpr std::size_t kLeastEdges = 2048;

    template <class Visit>
    void each(std::size_t part, const Visit& visit) const {
        const std::size_t parts = at_.size();
        for (std::size_t i = run_.size() * part / parts; i < run_.size() * (part + 1) / parts; ++i)
            for (const Edge& edge : run_[i]) visit(edge);
    }

    Node first_ = 0;
    std::vector<std::span<const Edge>> run_;
    std::vector<Buffer<std::int64_t>> at_;  // by part and low end
    Buffer<std::int64_t> begin_;
    Buffer<Arrival> arrival_;
};

}  // namespace rlap
