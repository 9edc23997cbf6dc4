# SPDX-License-Identifier: MIT
# The option BLOCKFW_GPU, and the compiler that it takes where none is named. To be included before project().
option(BLOCKFW_GPU "For a GPU: Kokkos, where it has to be fetched, is built with CUDA, or with HIP where there is no nvcc" OFF)
if(BLOCKFW_GPU AND NOT DEFINED CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
  find_program(nvcc nvcc NO_CACHE)
  find_program(hipcc hipcc NO_CACHE)
  if(hipcc AND NOT nvcc)
    set(CMAKE_CXX_COMPILER ${hipcc})
  endif()
endif()
