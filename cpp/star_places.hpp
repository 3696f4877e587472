// Where a label stands in a star, for merging parallel edges. Whether it stands there already is anybody's guess, so
// the code takes no branch on it.
#pragma once

#include <cstdint>
#include <limits>

#include "graph.hpp"

namespace rlap {

// A slot for every label. A label stands in the star if its slot, which may be left over from an earlier star, points
// back at it.
class PlacesByLabel {
  public:
    void set(std::size_t labels) {
        if (place_.size() < labels) place_ = Buffer<Node>(labels, 0);
    }
    void begin() {}
    void put(Node x, Node place) { place_[x] = place; }

    // The place of a label in a star of this size, or the place behind the last, which is its own from now on.
    Node find_or_add(Node x, const Node* label, Node size) {
        const Node inside = -static_cast<Node>(place_[x] < size);  // all bits set, or none
        const Node t = place_[x] & inside;
        const Node there = -static_cast<Node>(label[t] == x) & inside;
        return place_[x] = size + ((t - size) & there);
    }
    bool good() const { return true; }

  private:
    Buffer<Node> place_;
};

// So few slots that they stay in the nearest caches. Two labels of a star may fall on one, more rarely the smaller the
// star: then the answers are no good, and the star has to be begun again with a slot for every label.
class PlacesInCache {
  public:
    static constexpr std::size_t kSlots = std::size_t{1} << 14;
    static constexpr std::size_t kMostNeighbors = 96;  // at which it happens once in four times

    void begin() {
        if (slot_.empty() || star_ == std::numeric_limits<std::uint32_t>::max()) {
            slot_ = Buffer<std::uint64_t>(kSlots, 0);
            star_ = 0;
        }
        ++star_;
        clash_ = 0;
    }
    void put(Node x, Node place) {
        std::uint64_t& slot = slot_[x % kSlots];
        clash_ |= -static_cast<Node>(slot >> 32 == star_);
        slot = written(place);
    }
    Node find_or_add(Node x, const Node* label, Node size) {
        std::uint64_t& slot = slot_[x % kSlots];
        const Node taken = -static_cast<Node>(slot >> 32 == star_);  // all bits set, or none
        const Node t = static_cast<Node>(slot) & taken;
        const Node there = -static_cast<Node>(label[t] == x) & taken;
        clash_ |= taken & ~there;
        const Node place = size + ((t - size) & there);
        slot = written(place);
        return place;
    }
    bool good() const { return clash_ == 0; }

  private:
    std::uint64_t written(Node place) const { return std::uint64_t{star_} << 32 | static_cast<std::uint32_t>(place); }

    Buffer<std::uint64_t> slot_;  // the number of the star, and the place in it
    std::uint32_t star_ = 0;
    Node clash_ = 0;
};

}  // namespace rlap
