// The rows of a view, written by several threads: first the upper halves of all blocks, which leaves every edge's other
// direction in the block of its high end, then, when the sizes are known, the rows in their places.
#pragma once

#include <limits>
#include <vector>

#include "assemble.hpp"
#include "team.hpp"
#include "upper_halves.hpp"

namespace rlap {

// One bucket of several logs, sorted by low end. The edges of every log come in the order of their other ends; so, in
// the end, do those of every low end.
class alignas(kCacheLine) MergedBucket {
  public:
    template <class Logs>
    void take(const Logs& logs, std::size_t bucket, Node first, Node width) {
        first_ = first;
        stream_.clear();
        begin_.resize(width + 2);
        std::fill(begin_.begin(), begin_.end(), 0);
        for (const EdgeLog* log : logs) {
            stream_.emplace_back();
            log->each_run(bucket, [&](std::span<const Edge> run) {
                stream_.back().run.push_back(run);
                for (const Edge& edge : run) ++begin_[edge.low - first + 2];
            });
        }
        for (Node i = 2; i < width + 2; ++i) begin_[i] += begin_[i - 1];
        arrival_.resize(begin_[width + 1]);
        // Filling turns the beginning of a low end, which stands one place behind its own, into that of the next.
        for (std::int64_t left = begin_[width + 1]; left > 0;) {
            // A thread writes a whole block before it turns to another: long stretches come from one log.
            Stream *least = &stream_[0], *second = nullptr;
            for (std::size_t i = 1; i < stream_.size(); ++i) {
                Stream* other = &stream_[i];
                if (other->next() < least->next()) std::swap(other, least);
                if (!second || other->next() < second->next()) second = other;
            }
            const Node limit = second ? second->next() : kBehind;
            do {
                const Edge& edge = *least->at;
                arrival_[begin_[edge.low - first + 1]++] = {edge.weight, edge.high};
                least->advance();
                --left;
            } while (least->next() < limit);
        }
    }
    std::span<const Arrival> of(Node low) const {
        const std::int64_t* begin = begin_.data() + (low - first_);
        return {arrival_.data() + begin[0], static_cast<std::size_t>(begin[1] - begin[0])};
    }

  private:
    static constexpr Node kBehind = std::numeric_limits<Node>::max();
    struct Stream {
        std::vector<std::span<const Edge>> run;
        std::size_t next_run = 0;
        const Edge *at = nullptr, *end = nullptr;

        Node next() {
            if (at == end) {
                if (next_run == run.size()) return kBehind;
                at = run[next_run].data();
                end = at + run[next_run++].size();
            }
            return at->high;
        }
        void advance() { ++at; }
    };

    Node first_ = 0;
    std::vector<Stream> stream_;
    Buffer<std::int64_t> begin_;
    Buffer<Arrival> arrival_;
};

// Assembly: merge_block(log, first, end, view), upper(), mirror(), name(row) and put(at, ...), as in assemble.cpp; one
// for every thread. Bucket b is in logs[b % logs.size()].
template <class Assembly, class Resize>
void write_in_parallel(std::vector<Assembly>& assembly, std::span<RowLog> logs, Node rows, View& view, Team& team,
                       const Resize& resize) {
    const RowLog& shape = logs[0];
    const Node width = shape.width();
    const auto blocks = (std::int64_t{rows} + width - 1) / width;
    const auto end_of = [&](std::int64_t block) {
        return static_cast<Node>(std::min<std::int64_t>(rows, (block + 1) * width));
    };
    std::vector<const EdgeLog*> mirrors;
    for (Assembly& one : assembly) mirrors.push_back(&one.mirror());

    struct Upper {
        const UpperHalves* halves;  // of the thread that merged the block
        std::size_t row;            // that the block begins with there
    };
    std::vector<Upper> upper(blocks);
    std::vector<std::int64_t> begin(blocks + 1, 0);
    team.each(blocks, [&](int thread, std::int64_t block) {
        EdgeLog& log = logs[(shape.spare + block) % logs.size()].log;
        const UpperHalves& halves = assembly[thread].upper();
        upper[block] = {&halves, halves.rows()};
        const std::int64_t edges = halves.edges();
        assembly[thread].merge_block(log, static_cast<Node>(block * width), end_of(block), view);
        begin[block + 1] = halves.edges() - edges;
    });
    team.each(blocks, [&](int, std::int64_t block) {
        for (const EdgeLog* mirror : mirrors) begin[block + 1] += static_cast<std::int64_t>(mirror->size(block));
    });
    for (std::int64_t block = 0; block < blocks; ++block) begin[block + 1] += begin[block];

    view.edges = begin[blocks];
    view.edge_index.resize(2 * view.edges);
    resize(view.edges);
    std::vector<MergedBucket> below(team.size());
    team.each(blocks, [&](int thread, std::int64_t block) {
        const auto first = static_cast<Node>(block * width);
        below[thread].take(mirrors, block, first, width);
        const auto& [halves, row] = upper[block];
        const std::int64_t* half = halves->begin.data() + row;
        std::int64_t at = begin[block];
        stop_if_told();
        for (Node r = first; r < end_of(block); ++r, ++half) {
            const std::int64_t row_begin = at;
            for (const Arrival& edge : below[thread].of(r)) assembly[thread].put(at++, edge.high, edge.weight);
            for (std::int64_t i = half[0]; i < half[1]; ++i)
                assembly[thread].put(at++, assembly[thread].name(halves->high[i]), halves->value[i]);
            std::fill_n(view.edge_index.data() + row_begin, at - row_begin, assembly[thread].name(r));
        }
    });
}

}  // namespace rlap
