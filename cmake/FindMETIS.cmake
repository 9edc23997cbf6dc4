# SPDX-License-Identifier: MIT
# METIS 5, as blockfw::metis_library: it has no CMake files of its own. METIS_INCLUDE_DIR and METIS_LIBRARY name another.
find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
mark_as_advanced(METIS_INCLUDE_DIR METIS_LIBRARY)

# (METIS 4, whose functions take other arguments, does not say its version.)
if(METIS_INCLUDE_DIR)
  file(STRINGS ${METIS_INCLUDE_DIR}/metis.h METIS_VERSION REGEX "define METIS_VER_(MAJOR|MINOR|SUBMINOR)")
  string(REGEX MATCHALL "[0-9]+" METIS_VERSION "${METIS_VERSION}")
  list(JOIN METIS_VERSION . METIS_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(METIS REQUIRED_VARS METIS_LIBRARY METIS_INCLUDE_DIR METIS_VERSION
  VERSION_VAR METIS_VERSION)
if(METIS_FOUND AND NOT TARGET blockfw::metis_library)
  add_library(blockfw::metis_library UNKNOWN IMPORTED)
  set_target_properties(blockfw::metis_library PROPERTIES
    IMPORTED_LOCATION ${METIS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${METIS_INCLUDE_DIR})
endif()
