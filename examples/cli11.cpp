// SPDX-License-Identifier: MIT
// CLI11's own code, compiled once for all programs. (Where CLI11_COMPILE is not set, the last lines of its headers
// include it.)
#include <CLI/impl/App_inl.hpp>
#include <CLI/impl/Argv_inl.hpp>
#include <CLI/impl/Config_inl.hpp>
#include <CLI/impl/Encoding_inl.hpp>
#include <CLI/impl/Formatter_inl.hpp>
#include <CLI/impl/Option_inl.hpp>
#include <CLI/impl/Split_inl.hpp>
#include <CLI/impl/StringTools_inl.hpp>
#include <CLI/impl/Validators_inl.hpp>
#if __has_include(<CLI/impl/ExtraValidators_inl.hpp>)  // of 2.6 and later
#include <CLI/impl/ExtraValidators_inl.hpp>
#endif
