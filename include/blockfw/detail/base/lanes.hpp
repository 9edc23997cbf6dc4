// SPDX-License-Identifier: MIT
/// \file
/// \brief Vectors of numbers for each level of a processor's vector instructions (GCC and clang vector extensions).
///
/// A program for any x86-64 processor holds code for several levels, of which vectors.hpp chooses one at run time. A
/// program for one processor (-march) has one level, that of the processor. The names of functions and classes that
/// depend on the level contain it. So files compiled for different processors can be linked together.
///
/// A function has the instructions of its level by `target`. But GCC takes a vector apart in a function that lacks the
/// vector's instructions. It does so even if that function is inlined into a function that has them. So vectors are a
/// class, whose functions have the instructions. Code between these functions and a level's run() only moves objects,
/// and run() inlines all of it. (clang does not need these functions: it compiles vectors after it has inlined.)
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define BLOCKFW_UNROLL _Pragma("unroll")
#define BLOCKFW_NO_UNROLL _Pragma("unroll 1")
#elif defined(__clang__)
#define BLOCKFW_UNROLL _Pragma("clang loop unroll(full)")
#define BLOCKFW_NO_UNROLL _Pragma("clang loop unroll(disable)")
#else
#define BLOCKFW_UNROLL _Pragma("GCC unroll 64")
#define BLOCKFW_NO_UNROLL _Pragma("GCC unroll 1")
#endif

#define BLOCKFW_ALWAYS_INLINE inline __attribute__((always_inline))

// Whether a program chooses among several levels, and whether this file has code for all of them. Without inlining
// run() would be of no use; but other files of the program may be optimised.
#if defined(__x86_64__) && !defined(__AVX2__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
#define BLOCKFW_CHOOSES_LEVEL 1
#else
#define BLOCKFW_CHOOSES_LEVEL 0
#endif
#if BLOCKFW_CHOOSES_LEVEL && !defined(__NO_INLINE__)
#define BLOCKFW_LEVELS 1
#else
#define BLOCKFW_LEVELS 0
#endif

namespace blockfw::detail {

/// \brief The level that the compiler targets everywhere.
/// \tparam Bytes      of the widest vector of integers
/// \tparam Registers  the number of vector registers
template <int Bytes, int Registers>
struct Targeted {
  static constexpr int bytes = Bytes, registers = Registers;

  /// Returns f(level).
  template <class F>
  static BLOCKFW_ALWAYS_INLINE decltype(auto) run(const F& f) {
    return f(Targeted());
  }
};

#if defined(__AVX512BW__)
using TargetedLevel = Targeted<64, 32>;
#elif defined(__AVX2__)
using TargetedLevel = Targeted<32, 16>;
#elif defined(__aarch64__)
using TargetedLevel = Targeted<16, 32>;
#else
using TargetedLevel = Targeted<16, 16>;
#endif

#if BLOCKFW_LEVELS
#if defined(__clang__)
#define BLOCKFW_LANES_OF(instructions) BLOCKFW_ALWAYS_INLINE
#define BLOCKFW_WIDE(bits)
#else
#define BLOCKFW_LANES_OF(instructions) inline __attribute__((target(instructions), noclone))
#define BLOCKFW_WIDE(bits) ",prefer-vector-width=" #bits
#endif
#define BLOCKFW_AVX2 "avx2,bmi,bmi2"
#define BLOCKFW_AVX512 "avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl"

struct Avx2 {
  static constexpr int bytes = 32, registers = 16;

  template <class F>
  __attribute__((target(BLOCKFW_AVX2), flatten, noinline)) static decltype(auto) run(const F& f) {
    return f(Avx2());
  }
};

struct Avx512 {
  static constexpr int bytes = 64, registers = 32;

  template <class F>
  __attribute__((target(BLOCKFW_AVX512 BLOCKFW_WIDE(512)), flatten, noinline)) static decltype(auto) run(const F& f) {
    return f(Avx512());
  }
};
#endif

template <class T, int Width>
struct VectorOf {
  // (GCC prints notes on how vectors are passed to functions if they are aligned to more than any processor's vectors.)
  static constexpr std::size_t bytes = sizeof(T) * Width;
  typedef T type __attribute__((vector_size(bytes), aligned(bytes < 16 ? bytes : 16)));
  // (Where GCC prefers shorter vectors, it makes two of a memcpy.)
  typedef T unaligned __attribute__((vector_size(bytes), aligned(alignof(T)), may_alias));
};

/// The integer type of as many bits as T. Comparisons of T's make vectors of this type.
template <class T>
using MaskElement = std::conditional_t<
    sizeof(T) == 1, std::int8_t,
    std::conditional_t<sizeof(T) == 2, std::int16_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;

/// A number of 8 or 16 bits, repeated until it fills a word. Words of 32 bits are the least that a load from memory
/// broadcasts by itself; shorter numbers take an instruction of the unit that adds.
template <class T>
struct Repeated {
  static_assert(sizeof(T) < 4);
  static constexpr std::int32_t bits = (1 << 8 * sizeof(T)) - 1;            ///< the bits of a number
  static constexpr std::int32_t copies = UINT32_MAX / std::uint32_t{bits};  ///< the number 1, repeated
  std::int32_t word;
};

/// \brief `Width` numbers of type T, with the instructions of a level.
///
/// semiring.hpp lists the operations that a semiring's relax() may use on these vectors.
template <class Level, class T, int Width>
struct Lanes;

template <class V>
inline constexpr bool is_lanes = false;
template <class Level, class T, int Width>
inline constexpr bool is_lanes<Lanes<Level, T, Width>> = true;

// (For measurements: the compiler must assume that the value changes.)
#if defined(__x86_64__)
#define BLOCKFW_FORGET(v) __asm__ volatile("" : "+v"(v))
#elif defined(__aarch64__)
#define BLOCKFW_FORGET(v) __asm__ volatile("" : "+w"(v))
#else
#define BLOCKFW_FORGET(v) __asm__ volatile("" : "+m"(v))
#endif

// (x - 0 is x for every x, also for -0.0 and NaN, so a vector of x's takes a single instruction.)
//
// Vectors and masks have copy constructors, so that functions take and return them in memory, in case a call is not
// inlined. A caller and a function with different instructions would use different registers. So GCC gave wrong results
// where nvcc had dropped the attributes of a lambda. GCC also passes the vector of a struct in a register where it sees
// all callers of a function (-fipa-sra). It did so with the functions that a caller's relax() called where relax() was
// not inlined. The functions of a level are `noclone`, which prevents this.
//
// choose() takes a mask of numbers of any type with the same number of bits. low(a, b) is a0, b0, a2, b2, ..., and
// high(a, b) is a1, b1, a3, b3, ...; each takes one instruction. Applied to both results, low() and high() return a and
// b.
#define BLOCKFW_LANES(Level, FUNCTION)                                                       \
  template <class T, int Width>                                                              \
  struct Lanes<Level, T, Width> {                                                            \
    using Unaligned = typename VectorOf<T, Width>::unaligned;                                \
    using Vector = typename VectorOf<T, Width>::type;                                        \
    struct Mask {                                                                            \
      typename VectorOf<MaskElement<T>, Width>::type m;                                      \
      FUNCTION Mask(const typename VectorOf<MaskElement<T>, Width>::type& mask) : m(mask) {} \
      FUNCTION Mask(const Mask& other) : m(other.m) {}                                       \
      Mask& operator=(const Mask&) = default;                                                \
      FUNCTION Lanes<Level, MaskElement<T>, Width> numbers() const { return m; }             \
      FUNCTION bool any() const {                                                            \
        constexpr int words = (sizeof m + 7) / 8;                                            \
        std::uint64_t word[words] = {}, all = 0;                                             \
        std::memcpy(word, &m, sizeof m);                                                     \
        BLOCKFW_UNROLL                                                                       \
        for (int w = 0; w < words; ++w) all |= word[w];                                      \
        return all != 0;                                                                     \
      }                                                                                      \
    };                                                                                       \
    Vector v;                                                                                \
                                                                                             \
    Lanes() = default;                                                                       \
    FUNCTION Lanes(T x) : v(x - Vector{}) {}                                                 \
    FUNCTION Lanes(const Vector& x) : v(x) {}                                                \
    FUNCTION Lanes(const Lanes& other) : v(other.v) {}                                       \
    Lanes& operator=(const Lanes&) = default;                                                \
                                                                                             \
    static FUNCTION Lanes load(const T* from) {                                              \
      const Vector loaded = *reinterpret_cast<const Unaligned*>(from);                       \
      return loaded;                                                                         \
    }                                                                                        \
    FUNCTION void store(T* to) const { *reinterpret_cast<Unaligned*>(to) = v; }              \
    template <int Count>                                                                     \
    static FUNCTION Lanes load_some(const T* from) {                                         \
      Lanes l = {};                                                                          \
      std::memcpy(&l.v, from, sizeof(T) * Count);                                            \
      return l;                                                                              \
    }                                                                                        \
    template <int Count>                                                                     \
    FUNCTION void store_some(T* to) const {                                                  \
      std::memcpy(to, &v, sizeof(T) * Count);                                                \
    }                                                                                        \
    static FUNCTION Lanes broadcast(T x) { return x; }                                       \
    template <std::same_as<T> Short>                                                         \
    static FUNCTION Lanes broadcast(const Repeated<Short>& x) {                              \
      const typename VectorOf<std::int32_t, sizeof(Vector) / 4>::type words = {};            \
      return {(Vector)(x.word - words)};                                                     \
    }                                                                                        \
    template <class U>                                                                       \
    FUNCTION Lanes<Level, U, Width> as() const {                                             \
      return {__builtin_convertvector(v, typename VectorOf<U, Width>::type)};                \
    }                                                                                        \
    template <class U>                                                                       \
    FUNCTION Lanes<Level, U, Width> bits() const {                                           \
      return {(typename VectorOf<U, Width>::type)v};                                         \
    }                                                                                        \
    using Sequence = std::make_integer_sequence<int, Width>;                                 \
    static FUNCTION Lanes low(Lanes a, Lanes b) { return zipped<0>(a, b, Sequence()); }      \
    static FUNCTION Lanes high(Lanes a, Lanes b) { return zipped<1>(a, b, Sequence()); }     \
    template <int Odd, int... I>                                                             \
    static FUNCTION Lanes zipped(Lanes a, Lanes b, std::integer_sequence<int, I...>) {       \
      const Vector chosen = {(I % 2 == 0 ? a : b).v[I - I % 2 + Odd]...};                    \
      return chosen;                                                                         \
    }                                                                                        \
    FUNCTION void repeat(Repeated<T>* to) const {                                            \
      using Words = Lanes<Level, std::int32_t, Width>;                                       \
      using Unsigned = typename VectorOf<std::uint32_t, Width>::type;                        \
      const Words wide = as<std::int16_t>().template as<std::int32_t>();                     \
      const Unsigned once = (Unsigned)(wide & Words(Repeated<T>::bits)).v;                   \
      const Unsigned repeated = once * std::uint32_t{Repeated<T>::copies};                   \
      Words((typename Words::Vector)repeated).store(&to->word);                              \
    }                                                                                        \
    FUNCTION T operator[](int i) const { return v[i]; }                                      \
    FUNCTION void forget() { BLOCKFW_FORGET(v); }                                            \
                                                                                             \
    friend FUNCTION Lanes operator+(Lanes a, Lanes b) { return {a.v + b.v}; }                \
    friend FUNCTION Lanes operator-(Lanes a, Lanes b) { return {a.v - b.v}; }                \
    friend FUNCTION Lanes operator*(Lanes a, Lanes b) { return {a.v * b.v}; }                \
    friend FUNCTION Lanes operator&(Lanes a, Lanes b) { return {a.v & b.v}; }                \
    friend FUNCTION Lanes operator|(Lanes a, Lanes b) { return {a.v | b.v}; }                \
    friend FUNCTION Mask operator<(Lanes a, Lanes b) { return {a.v < b.v}; }                 \
    friend FUNCTION Mask operator>(Lanes a, Lanes b) { return {a.v > b.v}; }                 \
    friend FUNCTION Mask operator<=(Lanes a, Lanes b) { return {a.v <= b.v}; }               \
    friend FUNCTION Mask operator>=(Lanes a, Lanes b) { return {a.v >= b.v}; }               \
    friend FUNCTION Mask operator==(Lanes a, Lanes b) { return {a.v == b.v}; }               \
    friend FUNCTION Mask operator!=(Lanes a, Lanes b) { return {a.v != b.v}; }               \
    template <class M>                                                                       \
    static FUNCTION Lanes choose(M m, Lanes a, Lanes b) {                                    \
      return {m.m ? a.v : b.v};                                                              \
    }                                                                                        \
    static FUNCTION Lanes smaller(Lanes a, Lanes b) { return {a.v < b.v ? a.v : b.v}; }      \
    static FUNCTION Lanes larger(Lanes a, Lanes b) { return {a.v > b.v ? a.v : b.v}; }       \
  }

BLOCKFW_LANES(TargetedLevel, BLOCKFW_ALWAYS_INLINE);
#if BLOCKFW_LEVELS
BLOCKFW_LANES(Avx2, BLOCKFW_LANES_OF(BLOCKFW_AVX2));
BLOCKFW_LANES(Avx512, BLOCKFW_LANES_OF(BLOCKFW_AVX512));
#endif

}  // namespace blockfw::detail
