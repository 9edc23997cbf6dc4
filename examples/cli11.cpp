// SPDX-License-Identifier: MIT
// CLI11's own code, compiled once for all programs: they are compiled with CLI11_COMPILE, by which its headers declare
// functions only. Here each header includes its own code, which Macros.hpp has made not inline. (A list of the files with
// that code would be another one with each release.)
#include <CLI/Macros.hpp>
#undef CLI11_COMPILE
#include <CLI/CLI.hpp>
