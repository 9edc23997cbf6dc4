// SPDX-License-Identifier: MIT
/// \file
/// \brief The library's version; CMake reads it here.
#pragma once

/// Rises with incompatible changes.
#define BLOCKFW_VERSION_MAJOR 0
/// Rises with additions, and while the major number is 0 with incompatible changes.
#define BLOCKFW_VERSION_MINOR 1
/// Rises with corrections.
#define BLOCKFW_VERSION_PATCH 0
