#include "schur/rank.hpp"

namespace rlap {

const std::int64_t* Ranking::places(Node size) {
    if (size <= kMostCompared) {
        std::fill_n(key_.data() + size, kLanes, std::numeric_limits<double>::infinity());
        run_widest<Counting>(key_.data(), size, key_.data(), size, place_.data());
    } else {
        rank_chunks(size);
    }
    return place_.data();
}

// Ranks chunks by comparing all with all, and merges them.
void Ranking::rank_chunks(Node size) {
    for (Buffer<double>* keys : {&sorted_key_, &merged_key_}) keys->reserve_grown(size);
    for (Buffer<Node>* order : {&order_, &merged_order_}) order->reserve_grown(size);
    std::fill_n(key_.data() + size, kLanes, std::numeric_limits<double>::infinity());
    for (Node begin = 0; begin < size; begin += kChunk) {
        const Node end = std::min(size, begin + kChunk);
        run_widest<Counting>(key_.data() + begin, end - begin, key_.data() + begin, end - begin, place_.data() + begin);
        for (Node i = begin; i < end; ++i) {
            const std::int64_t at = begin + place_.data()[i];
            sorted_key_.data()[at] = key_.data()[i];
            order_.data()[at] = i;
        }
    }
    for (std::int64_t width = kChunk; width < size; width *= 2) {
        for (std::int64_t begin = 0; begin < size; begin += 2 * width)
            merge(begin, std::min<std::int64_t>(begin + width, size), std::min<std::int64_t>(begin + 2 * width, size));
        std::swap(sorted_key_, merged_key_);
        std::swap(order_, merged_order_);
    }
    for (Node i = 0; i < size; ++i) place_.data()[order_.data()[i]] = i;
}

// Two runs of sorted keys; of equal ones, those of the first run come first. No branch on which is less.
void Ranking::merge(std::int64_t begin, std::int64_t middle, std::int64_t end) {
    const double* const key = sorted_key_.data();
    const Node* const order = order_.data();
    std::int64_t x = begin, y = middle, out = begin;
    for (; x < middle && y < end; ++out) {
        const bool second = key[y] < key[x];
        const std::int64_t from = second ? y : x;
        merged_key_.data()[out] = key[from];
        merged_order_.data()[out] = order[from];
        x += !second;
        y += second;
    }
    const std::int64_t rest = x < middle ? x : y, left = end - out;
    std::copy_n(key + rest, left, merged_key_.data() + out);
    std::copy_n(order + rest, left, merged_order_.data() + out);
}

}  // namespace rlap
