# SPDX-License-Identifier: MIT
# AMD of SuiteSparse, as blockfw::amd_library. (Its own CMake files, where it has any, ask for a C compiler.)
# AMD_INCLUDE_DIR and AMD_LIBRARY name another.
find_path(AMD_INCLUDE_DIR amd.h PATH_SUFFIXES suitesparse)
find_library(AMD_LIBRARY amd)
mark_as_advanced(AMD_INCLUDE_DIR AMD_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(AMD REQUIRED_VARS AMD_LIBRARY AMD_INCLUDE_DIR)
if(AMD_FOUND AND NOT TARGET blockfw::amd_library)
  add_library(blockfw::amd_library UNKNOWN IMPORTED)
  set_target_properties(blockfw::amd_library PROPERTIES
    IMPORTED_LOCATION ${AMD_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${AMD_INCLUDE_DIR})
endif()
