// SPDX-License-Identifier: MIT
/// \file
/// \brief Pragmas for loops that must be unrolled fully, since their arrays live in registers, and for loops that must
/// not be unrolled.
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
