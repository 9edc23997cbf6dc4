// SPDX-License-Identifier: MIT
/// \file
/// \brief The properties of a device that determine the shape of the device code.
#pragma once

namespace blockfw {

enum class Vendor { none, nvidia, amd };

/// \brief A device: the resources of its multiprocessors (compute units), the abilities of its instructions, and the
/// strengths of its compiler. Each vendor's header makes Targets; see backend.hpp.
struct Target {
  Vendor vendor = Vendor::none;
  int architecture = 0;  ///< the vendor's number, larger for newer architectures
  int warp_size = 1;     ///< threads that work in step
  // Of one multiprocessor:
  int threads = 1;
  int scratch = 0;    ///< bytes
  int registers = 0;  ///< of 32 bits
  int teams = 1;      ///< the most teams that are promised to the compiler; with more teams it spills
  int warps = 0;      ///< the warps that hide latencies; 0: as many as leave each thread its registers
  int simds = 0;      ///< the parts for which the compiler's bound counts warps; 0: the bound counts teams

  bool starts_in_order = false;  ///< whether teams start in the order of their league ranks
  bool pairs = false;            ///< packed values: instructions for two 16-bit numbers in one register
  bool least_of_floats = false;  ///< an instruction for the least of three floats
  bool least_of_ints = false;    ///< the same for 32-bit integers
  bool floats_as_ints = false;   ///< floats are compared by their bits, so sums must not be negative
  bool adds_two_floats = false;  ///< an instruction for two sums of floats
  bool async_copies = false;     ///< copies from global memory to scratch that use no registers
  bool multiplies_bits = false;  ///< matrix units that multiply matrices of bits

  // Measured, or chosen by the code that the compiler makes:
  int long_step = 4;          ///< the pivots of one step of close() for types of eight bytes
  bool mirrors_large = true;  ///< the large tile leaves registers for mirrored panels
  bool wide_graphs = false;   ///< the compiler keeps 128 entries of a tile and the values of close() in registers
  int bits_bound = 2;         ///< the compiler's bound of the transitive closure with tables
};

}  // namespace blockfw
