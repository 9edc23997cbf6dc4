# SPDX-License-Identifier: MIT
# What project() needs. The option BLOCKFW_GPU, and the compiler that it takes where none is named:
option(BLOCKFW_GPU "For a GPU: Kokkos, where it has to be fetched, is built with CUDA, or with HIP where there is no nvcc" OFF)
if(BLOCKFW_GPU AND NOT DEFINED CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
  find_program(nvcc nvcc NO_CACHE)
  find_program(hipcc hipcc NO_CACHE)
  if(hipcc AND NOT nvcc)
    set(CMAKE_CXX_COMPILER ${hipcc})
  endif()
endif()

# The library's version, as the header has it:
cmake_path(SET version_header NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../include/blockfw/ground/version.hpp)
file(STRINGS ${version_header} version REGEX "define BLOCKFW_VERSION_(MAJOR|MINOR|PATCH)")
string(REGEX MATCHALL "[0-9]+" version "${version}")
list(JOIN version . version)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
