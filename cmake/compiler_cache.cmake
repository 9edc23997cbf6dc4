# SPDX-License-Identifier: MIT
# Compiles by ccache where it is installed, in a build of this project alone. To be included after Kokkos was found.
# -DCMAKE_CXX_COMPILER_LAUNCHER= builds without it. (Kokkos's own launcher for nvcc leaves no room for another.)
#
# A hit needs the same bytes, whatever the checkout folder and the dates of files: paths below the checkout are hashed as
# relative ones, and a precompiled header counts by its content. What a file includes is taken from its compilation
# (CCACHE_DEPEND): the preprocessor alone would read a precompiled header that is older than the headers in it.
if(DEFINED CMAKE_CXX_COMPILER_LAUNCHER OR Kokkos_ENABLE_CUDA)
  return()
endif()
find_program(BLOCKFW_CCACHE ccache)
mark_as_advanced(BLOCKFW_CCACHE)
if(BLOCKFW_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${BLOCKFW_CCACHE})
endif()
