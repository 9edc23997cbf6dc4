#include "instances.hpp"

BLOCKFW_REAL()
