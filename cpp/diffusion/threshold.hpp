// From finished columns to sparse rows: what is large enough is kept.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "diffusion/column_block.hpp"

namespace rlap {

// The rows of the sources of one block, one after the other.
template <class Out>
struct Piece {
    std::array<std::int64_t, kLanes<float>> count{};
    Buffer<Node> column;
    Buffer<Out> value;
};

// How entry (i, j) of the random walk's matrix becomes that of the symmetric one: times root_j / root_i. That matrix is
// symmetric: of each pair the entry is kept whose factor is at most 1, so that no error grows, and mirrored later.
struct Scaling {
    Buffer<double> root;       // by label; empty for the random walk
    std::vector<bool> narrow;  // by graph: single precision holds the roots and their inverses

    // Adds the root of the next label, which belongs to the last graph so far.
    void add(double total) {
        root.push_back(total > 0 ? std::sqrt(total) : 1);
        if (!(root.end()[-1] >= 0x1p-100 && root.end()[-1] <= 0x1p100)) narrow.back() = false;
    }
    bool symmetric() const { return !root.empty(); }
    bool is_narrow(std::int64_t g) const { return !symmetric() || narrow[g]; }
    bool owns(Node source, Node other) const {
        return root[other] < root[source] || (root[other] == root[source] && other <= source);
    }
};

template <class Out>
class Threshold {
  public:
    Threshold(const Locality& locality, const Scaling& scaling, double eps)
        : locality_(locality), scaling_(scaling), eps_(eps), count_{} {
        Node longest = 0;
        for (std::size_t c = 0; c + 1 < locality.part.size(); ++c)
            longest = std::max(longest, locality.part[c + 1] - locality.part[c]);
        room_ = static_cast<std::size_t>(longest);
        column_.resize(room_ * kLanes<float>);
        value_.resize(room_ * kLanes<float>);
    }

    // Collects the columns, rounded to single precision when `narrow`; their sources are those from `lane` on of the
    // piece.
    template <class Real>
    void add(const ColumnBlock<Real>& columns, Node lane, bool narrow) {
        const Block& block = columns.block();
        auto least = static_cast<Real>(eps_);
        if (least < eps_) least = std::nextafter(least, Real{1});
        Real factor[kLanes<Real>] = {};
        for (Node source = block.first; source < block.last && scaling_.symmetric(); ++source)
            factor[source - block.first] = static_cast<Real>(1 / scaling_.root[source]);
        const Node* labels = locality_.by_node.data() + block.begin;
        std::size_t size = block.end - block.begin;
        if (columns.listed()) {
            size = columns.reached().size();
            sorted_.resize(size);
            std::copy_n(columns.reached().begin(), size, sorted_.begin());
            std::sort(sorted_.begin(), sorted_.end(),
                      [&](Node one, Node other) { return locality_.node[one] < locality_.node[other]; });
            labels = sorted_.data();
        }
        for (std::size_t i = 0; i < size; ++i) {
            const Node label = labels[i];
            const Real* row = columns.row(label);
            Real scaled[kLanes<Real>];
            if (scaling_.symmetric()) {
                const auto root = static_cast<Real>(scaling_.root[label]);
                for (Node l = 0; l < kLanes<Real>; ++l) scaled[l] = row[l] * (root * factor[l]);
                row = scaled;
            }
            for (unsigned hits = find(row, least); hits; hits &= hits - 1) {
                const auto l = static_cast<Node>(__builtin_ctz(hits));
                if (scaling_.symmetric() && !scaling_.owns(block.first + l, label)) continue;
                const std::size_t out = (lane + l) * room_ + count_[lane + l]++;
                column_[out] = locality_.node[label];
                value_[out] = narrow ? static_cast<float>(row[l]) : static_cast<Out>(row[l]);
            }
        }
    }

    Piece<Out> take() {
        Piece<Out> piece;
        piece.count = count_;
        std::int64_t size = 0;
        for (const std::int64_t count : count_) size += count;
        piece.column.resize(size);
        piece.value.resize(size);
        std::int64_t out = 0;
        for (Node l = 0; l < kLanes<float>; ++l) {
            std::copy_n(column_.begin() + l * room_, count_[l], piece.column.begin() + out);
            std::copy_n(value_.begin() + l * room_, count_[l], piece.value.begin() + out);
            out += count_[l];
        }
        count_.fill(0);
        return piece;
    }

  private:
    // Bit l says whether lane l is at least that.
    template <class Real>
    static unsigned find(const Real* row, Real least) {
        constexpr int kQuad = 16 / sizeof(Real);
        using Quad [[gnu::vector_size(16), gnu::may_alias, gnu::aligned(alignof(Real))]] = Real;
        using Bits = decltype(Quad{} < Quad{});
        Bits bit{}, hits{};
        for (int i = 0; i < kQuad; ++i) bit[i] = 1 << i;
        for (int l = 0; l < kLanes<Real>; l += kQuad, bit <<= kQuad)
            hits |= (*reinterpret_cast<const Quad*>(row + l) >= least) & bit;
        unsigned all = 0;
        for (int i = 0; i < kQuad; ++i) all |= static_cast<unsigned>(hits[i]);
        return all;
    }

    const Locality& locality_;
    const Scaling& scaling_;
    double eps_;
    std::size_t room_ = 0;
    std::array<std::int64_t, kLanes<float>> count_;
    Buffer<Node> sorted_, column_;
    Buffer<Out> value_;
};

}  // namespace rlap
