// A bucket of an edge log, sorted by low end: by one thread, by several, or out of the logs of several.
#pragma once

#include <limits>
#include <vector>

#include "base/thread_pool.hpp"
#include "graph/edge_log.hpp"

namespace rlap {

// An edge at its low end.
struct Arrival {
    double weight;
    Node high;
};

// The edges of one low end stay in the order in which they came.
class SortedBucket {
  public:
    // Takes the edges of a bucket whose low ends are first .. first + width - 1, and empties it.
    void take(EdgeLog& log, std::size_t bucket, Node first, Node width, EdgeLog& heir) {
        reset(first, width);
        log.each(bucket, [&](const Edge& edge) { ++begin_[edge.low - first + 2]; });
        sum_up();
        log.each(bucket, [&](const Edge& edge) { put(edge); });
        log.clear(bucket, heir);
    }

    // The same by several threads. Calls inside(low, high) for every edge with both ends in the bucket, from any
    // thread.
    template <class Inside>
    void take_shared(EdgeLog& log, std::size_t bucket, Node first, Node width, ThreadPool& pool, const Inside& inside) {
        reset(first, width);
        run_.clear();
        std::size_t edges = 0;
        log.each_run(bucket, [&](std::span<const Edge> run) {
            run_.push_back(run);
            edges += run.size();
        });
        const std::size_t parts = edges < kLeastShared ? 1 : static_cast<std::size_t>(pool.size());
        const auto each = [&](std::size_t part, const auto& visit) {
            for (std::size_t i = run_.size() * part / parts; i < run_.size() * (part + 1) / parts; ++i)
                for (const Edge& edge : run_[i]) visit(edge);
        };
        at_.resize(parts);
        arrival_.resize(edges);
        pool.each(static_cast<std::int64_t>(parts), [&](int, std::int64_t part) {
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
        pool.each(static_cast<std::int64_t>(parts), [&](int, std::int64_t part) {
            Buffer<std::int64_t>& next = at_[part];
            each(part, [&](const Edge& edge) {
                arrival_[next[edge.low - first]++] = {edge.weight, edge.high};
                if (edge.high - first < width) inside(edge.low, edge.high);
            });
        });
        log.clear(bucket, log);
    }

    // Merges the bucket of several logs, which keep it. The edges of every log come in the order of their other ends;
    // so, in the end, do those of every low end.
    void merge(const std::vector<const EdgeLog*>& logs, std::size_t bucket, Node first, Node width) {
        reset(first, width);
        stream_.clear();
        for (const EdgeLog* log : logs) {
            stream_.emplace_back();
            log->each_run(bucket, [&](std::span<const Edge> run) {
                stream_.back().run.push_back(run);
                for (const Edge& edge : run) ++begin_[edge.low - first + 2];
            });
        }
        sum_up();
        for (std::size_t left = arrival_.size(); left > 0;) {
            // A thread writes a whole block before it turns to another: long stretches come from one log.
            Stream *least = &stream_[0], *second = nullptr;
            for (std::size_t i = 1; i < stream_.size(); ++i) {
                Stream* other = &stream_[i];
                if (other->next() < least->next()) std::swap(other, least);
                if (!second || other->next() < second->next()) second = other;
            }
            const Node limit = second ? second->next() : Stream::kBehind;
            do {
                put(*least->at++);
                --left;
            } while (least->next() < limit);
        }
    }

    std::span<const Arrival> of(Node low) const {
        const std::int64_t* begin = begin_.data() + (low - first_);
        return {arrival_.data() + begin[0], static_cast<std::size_t>(begin[1] - begin[0])};
    }

  private:
    static constexpr std::size_t kLeastShared = 2048;
    struct Stream {
        static constexpr Node kBehind = std::numeric_limits<Node>::max();
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
    };

    void reset(Node first, Node width) {
        first_ = first;
        begin_.resize(static_cast<std::size_t>(width) + 2);
        std::fill(begin_.begin(), begin_.end(), 0);
    }
    void sum_up() {
        for (std::size_t i = 2; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
        arrival_.resize(begin_[begin_.size() - 1]);
    }
    // Turns the beginning of a low end, which stands one place behind its own, into that of the next.
    void put(const Edge& edge) { arrival_[begin_[edge.low - first_ + 1]++] = {edge.weight, edge.high}; }

    Node first_ = 0;
    Buffer<std::int64_t> begin_;
    Buffer<Arrival> arrival_;
    std::vector<std::span<const Edge>> run_;  // of take_shared, as is at_, by part and low end
    std::vector<Buffer<std::int64_t>> at_;
    std::vector<Stream> stream_;  // of merge
};

}  // namespace rlap
