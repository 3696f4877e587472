// Loops that pay on wide vectors are compiled for several processors, and the widest that this one has is run. Vectors
// of 16 bytes are in the baseline of x86-64 (SSE2) and of ARM (NEON), and elsewhere the compiler does without.
#pragma once

#include <cstddef>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

// What a kernel is made of has to end up in the function that is compiled for the processor.
#define RLAP_INLINE [[gnu::always_inline]] inline

namespace rlap {

#if defined(__x86_64__)

// The widest vectors that the processor has and the system saves, in bytes. Asked for here: not every compiler brings
// what __builtin_cpu_supports needs.
inline std::size_t widest_vector() {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return 16;
    unsigned saved, high;
    asm("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 16;
    constexpr unsigned kYmm = 0x06, kZmm = 0xe6;
    constexpr unsigned kNeeded = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;
    if ((saved & kZmm) == kZmm && (b & kNeeded) == kNeeded) return 64;
    return (saved & kYmm) == kYmm && (b & bit_AVX2) ? 32 : 16;
}

inline const std::size_t kVectorBytes = widest_vector();

template <class Kernel, class... Args>
__attribute__((target("avx2"))) auto run_avx2(Args&&... args) {
    return Kernel::template run<32>(args...);
}
template <class Kernel, class... Args>
__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))) auto run_avx512(Args&&... args) {
    return Kernel::template run<64>(args...);
}

#endif

// Calls Kernel::run<Bytes>(args...), an RLAP_INLINE function, where vectors of so many bytes are to be had. A kernel
// computes the same bits at any width.
template <class Kernel, class... Args>
auto run_widest(Args&&... args) {
#if defined(__x86_64__)
    if (kVectorBytes == 64) return run_avx512<Kernel>(args...);
    if (kVectorBytes == 32) return run_avx2<Kernel>(args...);
#endif
    return Kernel::template run<16>(args...);
}

}  // namespace rlap
