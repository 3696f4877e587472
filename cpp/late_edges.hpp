// New edges of the current block that came since it was opened, by low end, the last first.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "graph.hpp"

namespace rlap {

class LateEdges {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    struct Late {
        double weight;
        Node high;
        std::uint32_t next;
    };

    void open(Node first, std::size_t width) {
        first_ = first;
        head_.resize(width);
        std::fill(head_.begin(), head_.end(), kNone);
        late_.clear();
    }
    void add(Node low, Node high, double weight) {
        if (late_.size() >= kNone) throw std::length_error("a block can get 2^32 - 1 new edges at the most");
        std::uint32_t& head = head_[low - first_];
        late_.push_back({weight, high, head});
        head = static_cast<std::uint32_t>(late_.size() - 1);
    }
    std::uint32_t head(Node low) const { return head_[low - first_]; }
    const Late& operator[](std::uint32_t at) const { return late_[at]; }
    std::int64_t end() const { return first_ + static_cast<std::int64_t>(head_.size()); }

  private:
    Node first_ = 0;
    Buffer<std::uint32_t> head_;
    Buffer<Late> late_;
};

}  // namespace rlap
