// SPDX-License-Identifier: MIT
/// \file
/// \brief The former name of solve_from.hpp, kept for one release.
#pragma once

#include "blockfw/solve_from.hpp"
