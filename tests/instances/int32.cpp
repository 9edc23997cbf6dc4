#include "instances.hpp"

BLOCKFW_INT32()
