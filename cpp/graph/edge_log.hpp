// New edges on their way to where they are needed, in buckets of neighbouring low ends: writing is sequential, and
// sorting a bucket when its turn comes stays in cache, however large the graph is.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace rlap {

struct Edge {
    Node low, high;  // low < high
    double weight;
};

class EdgeLog {
  public:
    explicit EdgeLog(std::size_t buckets) : bucket_(buckets) {}
    EdgeLog(EdgeLog&& other) noexcept
        : bucket_(std::move(other.bucket_)),
          slab_(std::move(other.slab_)),
          free_(std::exchange(other.free_, nullptr)),
          fresh_(std::exchange(other.fresh_, nullptr)) {}

    void push(std::size_t bucket, const Edge& edge) {
        Bucket& to = bucket_[bucket];
        if (to.at == to.end) add_page(to);
        // One by one: an edge put together in memory a moment ago cannot be read as a whole without waiting for it.
        to.at->low = edge.low;
        to.at->high = edge.high;
        to.at->weight = edge.weight;
        ++to.at;
        // Too many places are written to for the processor to see where each goes on.
        __builtin_prefetch(to.at + kAhead, 1);
    }

    std::size_t buckets() const { return bucket_.size(); }

    // Calls visit(edge) for every edge of a bucket, in the order in which they came.
    template <class Visit>
    void each(std::size_t bucket, const Visit& visit) const {
        each_run(bucket, [&](std::span<const Edge> run) {
            for (const Edge& edge : run) visit(edge);
        });
    }
    // Or visit(edges) for runs of them; a run is never empty.
    template <class Visit>
    void each_run(std::size_t bucket, const Visit& visit) const {
        const Bucket& from = bucket_[bucket];
        for (const Page* page = from.first; page; page = page->next)
            visit(std::span<const Edge>(page->edge, page == from.last ? from.at : page->edge + kPageEdges));
    }

    std::size_t size(std::size_t bucket) const {
        const Bucket& from = bucket_[bucket];
        std::size_t edges = 0;
        for (const Page* page = from.first; page; page = page->next)
            edges += page == from.last ? from.at - page->edge : kPageEdges;
        return edges;
    }

    // Empties a bucket; its pages are used again, by this log or by one that does not outlive it.
    void clear(std::size_t bucket, EdgeLog& heir) {
        Bucket& from = bucket_[bucket];
        if (from.last) from.last->next = std::exchange(heir.free_, from.first);
        from = {};
    }

  private:
    static constexpr std::size_t kPageEdges = 127;
    static constexpr std::size_t kAhead = 7;                            // edges: the next cache line but one
    static constexpr std::size_t kFirstSlab = 32, kLargestSlab = 8192;  // pages
    struct Page {
        Page* next;
        Edge edge[kPageEdges];
    };
    struct Bucket {
        Edge *at = nullptr, *end = nullptr;
        Page *first = nullptr, *last = nullptr;
    };

    void add_page(Bucket& to) {
        Page* page = take_page();
        page->next = nullptr;
        (to.last ? to.last->next : to.first) = page;
        to.last = page;
        to.at = page->edge;
        to.end = page->edge + kPageEdges;
    }
    // One that was used before, or the next of the last slab: what was never used is never touched.
    Page* take_page() {
        if (free_) return std::exchange(free_, free_->next);
        if (slab_.empty() || fresh_ == slab_.back().end()) {
            slab_.emplace_back(slab_.empty() ? kFirstSlab : std::min(2 * slab_.back().size(), kLargestSlab));
            fresh_ = slab_.back().begin();
        }
        return fresh_++;
    }

    std::vector<Bucket> bucket_;
    std::vector<Buffer<Page>> slab_;
    Page* free_ = nullptr;
    Page* fresh_ = nullptr;
};

// How numbers below `count` fall into buckets: few enough to write to all of them at once, small enough to sort in
// cache.
struct Bucketing {
    std::int64_t buckets;
    int shift = 0;  // number x belongs to bucket x >> shift

    explicit Bucketing(std::int64_t count) : buckets(std::clamp<std::int64_t>(count / 512, 64, 512)) {
        while ((count - 1) >> shift >= buckets) ++shift;
    }
    std::int64_t width() const { return std::int64_t{1} << shift; }
};

// New edges between kept nodes, both ends numbered by the rows of the view.
class RowLog {
  public:
    // `spare` buckets in front are left to the caller.
    explicit RowLog(Node rows, std::size_t spare = 0) : RowLog(Bucketing(rows), spare) {}
    void push(const Edge& edge) { log.push(spare + (static_cast<std::size_t>(edge.low) >> shift), edge); }
    template <class Visit>
    void each(const Visit& visit) const {
        for (std::size_t bucket = spare; bucket < log.buckets(); ++bucket) log.each(bucket, visit);
    }

    Node width() const { return Node{1} << shift; }
    std::size_t size() const {
        std::size_t edges = 0;
        for (std::size_t bucket = spare; bucket < log.buckets(); ++bucket) edges += log.size(bucket);
        return edges;
    }

    int shift;
    std::size_t spare;
    EdgeLog log;

  private:
    RowLog(const Bucketing& rows, std::size_t spare) : shift(rows.shift), spare(spare), log(spare + rows.buckets) {}
};

// A row log that several threads write to, each to the buckets that it owns: bucket b belongs to owner b % owners.
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
