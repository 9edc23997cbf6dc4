#include "instances.hpp"

BLOCKFW_SEMIRINGS()
