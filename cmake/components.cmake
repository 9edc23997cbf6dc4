# SPDX-License-Identifier: MIT
# All components. The project, an installation of it (blockfwConfig.cmake) and the tests read them here.

# For each library of others that a header needs: the header, the library's target, and what find_package() takes.
set(blockfw_header_components mpi metis amd zlib)
set(blockfw_library_of_mpi distributed.hpp MPI::MPI_CXX MPI COMPONENTS CXX)
set(blockfw_library_of_metis orders/metis.hpp blockfw::metis_library METIS)
set(blockfw_library_of_amd orders/amd.hpp blockfw::amd_library AMD)
set(blockfw_library_of_zlib io/gzip.hpp ZLIB::ZLIB ZLIB)
# The libraries of the calls in the built-in types (src). The second needs `compiled` and `mpi`.
set(blockfw_compiled_components compiled compiled_mpi)

# Finds the library of a component, and sets blockfw_library_found. The find modules of ours lie beside this file.
# how: QUIET or REQUIRED
set(_blockfw_modules ${CMAKE_CURRENT_LIST_DIR})
macro(blockfw_find_library component how)
  set(_blockfw_parts ${blockfw_library_of_${component}})
  list(POP_FRONT _blockfw_parts _blockfw_header _blockfw_target _blockfw_package)
  list(PREPEND CMAKE_MODULE_PATH ${_blockfw_modules})
  find_package(${_blockfw_package} ${how} MODULE ${_blockfw_parts})
  list(POP_FRONT CMAKE_MODULE_PATH)
  set(blockfw_library_found ${${_blockfw_package}_FOUND})
endmacro()
