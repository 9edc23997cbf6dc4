# SPDX-License-Identifier: MIT
# The library's version, as the header has it. To be included before project().
cmake_path(SET version_header NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../include/blockfw/ground/version.hpp)
file(STRINGS ${version_header} version REGEX "define BLOCKFW_VERSION_(MAJOR|MINOR|PATCH)")
string(REGEX MATCHALL "[0-9]+" version "${version}")
list(JOIN version . version)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
