/// \file
/// \brief Loops that must leave no loop behind, since their arrays live in registers, and loops that must stay.
#pragma once

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
