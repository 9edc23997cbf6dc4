# SPDX-License-Identifier: MIT
# Kokkos for the host's cores. (vcpkg has no port of it; this one is for blockfw's.)
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_download_distfile(archive SKIP_SHA512
  URLS "https://github.com/kokkos/kokkos/releases/download/${VERSION}/kokkos-${VERSION}.tar.gz"
  FILENAME "kokkos-${VERSION}.tar.gz")
# The sum that the project publishes, as in cmake/dependencies.cmake.
file(SHA256 "${archive}" sum)
if(NOT sum STREQUAL d6557aaef39302282a15f9c770433d1fcdf4e961dfd6d9ed726b9d0d0f546b9f)
  message(FATAL_ERROR "kokkos-${VERSION}.tar.gz has another SHA-256: ${sum}")
endif()
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${archive}")

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DKokkos_ENABLE_OPENMP=ON -DCMAKE_CXX_STANDARD=20)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME Kokkos CONFIG_PATH lib/cmake/Kokkos)
# (In bin are the wrappers of device compilers.)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
  "${CURRENT_PACKAGES_DIR}/bin" "${CURRENT_PACKAGES_DIR}/debug/bin")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
