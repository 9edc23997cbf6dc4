#include "instances.hpp"

BLOCKFW_SEMIRINGS_DOUBLE()
