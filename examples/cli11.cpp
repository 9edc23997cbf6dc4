// SPDX-License-Identifier: MIT
// CLI11's own code, compiled once for all programs. (Without CLI11_COMPILE, its headers include what they only declare
// with it; in every release other files. CLI11_INLINE is what makes it a definition here.)
#include <CLI/Macros.hpp>
#undef CLI11_COMPILE
#include <CLI/CLI.hpp>
