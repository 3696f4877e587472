// A block of columns of a function of P, on its way there step by step.
#pragma once

#include <algorithm>

#include "base/interrupt.hpp"
#include "diffusion/averages.hpp"

namespace rlap {

template <class Real>
class ColumnBlock {
  public:
    ColumnBlock(const Averages<Real>& averages, Node nodes)
        : averages_(averages), seen_(nodes, 0), memory_(2 * static_cast<std::size_t>(nodes) * kLine + kLine, 0) {
        const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
        now_ = reinterpret_cast<Real*>((address + kLine - 1) / kLine * kLine);
        next_ = now_ + static_cast<std::size_t>(nodes) * kLanes<Real>;
    }

    // now = bias[l] in lane l at its source, row first + l; next = 0.
    void begin(const Block& block, const Real* bias) {
        clear();
        block_ = block;
        listed_ = true;
        reached_.clear();
        frontier_ = 0;
        ++round_;
        for (Node source = block.first; source < block.last; ++source) {
            now_[at(source) + source - block.first] = bias[source - block.first];
            seen_[source] = round_;
            reached_.push_back(source);
        }
    }

    // next = mix * (P now + bias at the sources) + keep * next
    void advance(Real mix, Real keep, const Real* bias) {
        each_pass(mix, keep, bias, [&](const Pass<Real>& pass) { run_pass(averages_, pass); });
    }
    Largest<Real> advance_checked(Real mix, Real keep, const Real* bias) {
        Largest<Real> all;
        each_pass(mix, keep, bias, [&](const Pass<Real>& pass) {
            const Largest<Real> some = run_checked_pass(averages_, pass);
            all.residual = std::max(all.residual, some.residual);
            all.average = std::max(all.average, some.average);
        });
        return all;
    }
    void swap() { std::swap(now_, next_); }

    const Real* row(Node label) const { return now_ + at(label); }
    // Whether all rows that are not zero are known, and these.
    bool listed() const { return listed_; }
    const Buffer<Node>& reached() const { return reached_; }
    const Block& block() const { return block_; }
    const Averages<Real>& averages() const { return averages_; }

  private:
    static constexpr std::int64_t kRowsAtOnce = 1 << 16;

    static std::size_t at(Node label) { return static_cast<std::size_t>(label) * kLanes<Real>; }
    void clear() {
        for (Real* values : {now_, next_}) {
            if (!listed_) std::fill(values + at(block_.begin), values + at(block_.end), Real{0});
            for (std::size_t i = 0; i < reached_.size() && listed_; ++i)
                std::fill_n(values + at(reached_[i]), kLanes<Real>, Real{0});
        }
    }

    template <class Run>
    void each_pass(Real mix, Real keep, const Real* bias, const Run& run) {
        if (listed_) reach_further();
        const Node first = block_.first, last = block_.last;
        const Node* all = averages_.rows.data();
        const auto pass = [&](const Node* rows, std::int64_t count, const Real* extra) {
            for (std::int64_t done = 0; done < count; done += kRowsAtOnce) {
                const auto some = static_cast<Node>(std::min(kRowsAtOnce, count - done));
                run({rows + done, some, now_, next_, mix, keep, extra, first});
                poll_(some * kEdgesEach);
            }
        };
        pass(all + first, last - first, bias);
        if (listed_) {
            pass(reached_.data() + (last - first), static_cast<std::int64_t>(reached_.size()) - (last - first),
                 nullptr);
        } else {
            pass(all + block_.begin, first - block_.begin, nullptr);
            pass(all + last, block_.end - last, nullptr);
        }
    }

    // Rows further from the sources than the steps taken are zero and need no pass: rows that are reached are listed,
    // until they are so many that a pass over all is cheaper.
    void reach_further() {
        const auto few = static_cast<std::size_t>((block_.end - block_.begin) / 2);
        const std::size_t known = reached_.size();
        for (; frontier_ < known; ++frontier_) {
            const Node row = reached_[frontier_];
            poll_(averages_.start[row + 1] - averages_.start[row] + 1);
            for (std::int64_t e = averages_.start[row]; e < averages_.start[row + 1]; ++e) {
                const Node other = averages_.neighbor[e];
                if (seen_[other] == round_) continue;
                seen_[other] = round_;
                reached_.push_back(other);
            }
            if (reached_.size() <= few) continue;
            listed_ = false;
            return;
        }
    }

    const Averages<Real>& averages_;
    Block block_{};
    bool listed_ = true;
    Buffer<Node> reached_;  // the sources first
    std::size_t frontier_ = 0;
    Buffer<std::uint32_t> seen_;
    std::uint32_t round_ = 0;
    Buffer<std::uint8_t> memory_;
    Real *now_ = nullptr, *next_ = nullptr;
    Poll poll_;
};

}  // namespace rlap
