// SPDX-License-Identifier: MIT
// CLI11's own code, compiled once for all programs. (Without CLI11_COMPILE, its headers include the definitions, from
// other files in each release. CLI11_INLINE makes them definitions here.)
#include <CLI/Macros.hpp>
#undef CLI11_COMPILE
#include <CLI/CLI.hpp>
