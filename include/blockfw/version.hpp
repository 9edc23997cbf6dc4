/// \file
/// \brief The library's version; CMake reads it here.
#pragma once

#define BLOCKFW_VERSION_MAJOR 0
#define BLOCKFW_VERSION_MINOR 1
#define BLOCKFW_VERSION_PATCH 0
