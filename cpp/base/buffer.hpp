// A growable array of plain values without initialisation: the core fills what it allocates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "base/interrupt.hpp"
#include "base/memory_pool.hpp"

namespace rlap {

// A value of the caller's, where other threads may write at any time. It is read once, so that what is checked is what
// is used.
template <class T>
T read_once(const T* place) {
    return *static_cast<const volatile T*>(place);
}

template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Buffer() = default;
    explicit Buffer(std::size_t size) { resize(size); }
    Buffer(std::size_t size, T value) : Buffer(size) {
        for (std::size_t i = 0; i < size; ++i) data_[i] = value;
    }
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { free_block(data_, capacity_ * sizeof(T)); }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }

    void reserve(std::size_t capacity) {
        if (capacity > capacity_) reallocate(capacity);
    }
    // Room for so many values, growing by half at least, so that growing step by step stays linear.
    void reserve_grown(std::size_t capacity) {
        if (capacity > capacity_) reallocate(std::max(capacity, capacity_ + capacity_ / 2));
    }
    void resize(std::size_t size) {
        reserve(size);
        size_ = size;
    }
    void push_back(const T& value) {
        const T copy = value;  // `value` may live in the block that growing moves
        reserve_grown(size_ + 1);
        data_[size_++] = copy;
    }
    void clear() { size_ = 0; }
    void free() { *this = Buffer(); }

  private:
    void reallocate(std::size_t capacity) {
        if (capacity > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
        data_ = static_cast<T*>(grow_block(data_, capacity_ * sizeof(T), capacity * sizeof(T)));
        capacity_ = capacity;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

// A stable counting sort by key(value), which is below `keys`.
template <class T, class Key>
Buffer<T> sort_by(const Buffer<T>& values, std::int64_t keys, const Key& key) {
    Buffer<std::int64_t> begin(static_cast<std::size_t>(keys) + 1, 0);
    Poll poll;
    for (const T& value : values) {
        poll();
        ++begin[key(value) + 1];
    }
    for (std::int64_t k = 0; k < keys; ++k) begin[k + 1] += begin[k];
    Buffer<T> sorted(values.size());
    for (const T& value : values) {
        poll();
        sorted[begin[key(value)]++] = value;
    }
    return sorted;
}

}  // namespace rlap
