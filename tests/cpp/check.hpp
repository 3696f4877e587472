// The least that a test program needs: checks that say what failed, and statistics for means and frequencies.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace check {

inline int failures = 0;
inline constexpr int kMostShown = 20;

// What main returns: the number itself would be cut to eight bits.
inline int result() { return failures != 0; }

inline void that(bool holds, const char* text, const char* file, int line) {
    if (holds || ++failures > kMostShown) return;
    std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, text);
}

// The call must throw, with these words in its message.
template <class Call>
void throws(const Call& call, const std::string& words, const char* file, int line) {
    std::string message = "nothing was thrown";
    try {
        call();
    } catch (const std::exception& error) {
        message = error.what();
        if (message.find(words) != std::string::npos) return;
    }
    if (++failures > kMostShown) return;
    std::fprintf(stderr, "%s:%d: expected \"%s\", got: %s\n", file, line, words.c_str(), message.c_str());
}

inline bool close(double a, double b, double relative) {
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

// How far the mean of samples lies from what it should be, in its own standard deviations. What never varies must be
// right but for rounding.
class Mean {
  public:
    void add(double value) {
        ++count_;
        const double step = value - mean_;
        mean_ += step / static_cast<double>(count_);
        squares_ += step * (value - mean_);
    }
    double off(double expected) const {
        const auto count = static_cast<double>(count_);
        const double deviation = std::sqrt(squares_ / (count - 1) / count), least = 1e-9 * (1 + std::abs(expected));
        const double distance = std::abs(mean_ - expected);
        return distance <= least ? 0 : distance / std::max(deviation, least);
    }

  private:
    std::int64_t count_ = 0;
    double mean_ = 0, squares_ = 0;
};

// Among fewer than a million entries, six deviations are passed once in five hundred runs; seeds are fixed besides.
inline constexpr double kMostDeviations = 6;

// Whether counts are those of equally likely outcomes: chi-square, six of its deviations above its mean.
inline bool even(const std::vector<std::int64_t>& counts) {
    double total = 0, square = 0;
    for (const auto count : counts) total += static_cast<double>(count);
    const double each = total / static_cast<double>(counts.size());
    for (const auto count : counts) square += (static_cast<double>(count) - each) * (static_cast<double>(count) - each);
    const auto freedom = static_cast<double>(counts.size() - 1);
    return square / each < freedom + kMostDeviations * std::sqrt(2 * freedom);
}

}  // namespace check

#define CHECK(...) check::that((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_THROWS(words, ...) check::throws([&] { __VA_ARGS__; }, words, __FILE__, __LINE__)
