# SPDX-License-Identifier: MIT
# For `vcpkg install`, from this tree: ../../README.md has the command.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS components FEATURES
  compiled BLOCKFW_COMPILED
  mpi BLOCKFW_MPI
  zlib BLOCKFW_ZLIB)
if(NOT "compiled" IN_LIST FEATURES)
  set(VCPKG_BUILD_TYPE release)  # headers alone
endif()

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
  ${components} -DBLOCKFW_METIS=OFF -DBLOCKFW_AMD=OFF -DBLOCKFW_BUILD_PROGRAMS=OFF -DBLOCKFW_BUILD_TESTS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/blockfw)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
