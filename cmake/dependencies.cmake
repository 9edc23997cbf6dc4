# SPDX-License-Identifier: MIT
# Where Kokkos, CLI11 and doctest come from: from the packages that CMake finds, else from the releases named here, which
# it fetches. Without a network, -DFETCHCONTENT_SOURCE_DIR_KOKKOS=FOLDER (_CLI11, _DOCTEST) names an unpacked release.
include(FetchContent)

# Packages take part in CMake's own directory scope, so this is a macro.
macro(blockfw_make_available name)
  set(CMAKE_COMPILE_WARNING_AS_ERROR OFF)  # that is for our own code
  set(CMAKE_POLICY_VERSION_MINIMUM 3.5)    # doctest 2.4 asks for CMake 3.0, which CMake 4 refuses
  FetchContent_MakeAvailable(${name})
  unset(CMAKE_POLICY_VERSION_MINIMUM)
  unset(CMAKE_COMPILE_WARNING_AS_ERROR)
endmacro()

macro(blockfw_need_kokkos)
  if(NOT TARGET Kokkos::kokkos)  # unless another project brings it
    # These say what a fetched Kokkos is built for; one that is found keeps what it has.
    set(Kokkos_ENABLE_OPENMP ON CACHE BOOL "Kokkos for the host's cores")
    if(BLOCKFW_GPU)
      blockfw_gpu_backend(backend)
      set(Kokkos_ENABLE_${backend} ON CACHE BOOL "Kokkos for the GPU")
    endif()
    if(NOT DEFINED CMAKE_CXX_STANDARD)
      set(CMAKE_CXX_STANDARD 20)  # Kokkos 4 would take 17
    endif()
    FetchContent_Declare(Kokkos SYSTEM
      URL https://github.com/kokkos/kokkos/releases/download/5.2.2/kokkos-5.2.2.tar.gz
      URL_HASH SHA256=d6557aaef39302282a15f9c770433d1fcdf4e961dfd6d9ed726b9d0d0f546b9f
      DOWNLOAD_EXTRACT_TIMESTAMP ON
      FIND_PACKAGE_ARGS 4.6...<6)
    blockfw_make_available(Kokkos)
    if(BLOCKFW_GPU AND NOT kokkos_SOURCE_DIR)
      unset(Kokkos_ENABLE_${backend} CACHE)  # what was found says for itself
    endif()
    if(kokkos_SOURCE_DIR)
      get_directory_property(Kokkos_VERSION DIRECTORY ${kokkos_SOURCE_DIR} DEFINITION Kokkos_VERSION)
      foreach(library kokkoscore kokkoscontainers)  # (for the Python module, which is loaded)
        if(TARGET ${library})
          set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        endif()
      endforeach()
    endif()
    if(BLOCKFW_GPU)
      blockfw_require_gpu()
    endif()
  endif()
  if(DEFINED Kokkos_VERSION AND (Kokkos_VERSION VERSION_LESS 4.6 OR Kokkos_VERSION VERSION_GREATER_EQUAL 6))
    message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} was found, expected 4.6 or later, below 6")
  endif()
  blockfw_refuse_known_crashes()
endmacro()

# CUDA or HIP.
function(blockfw_gpu_backend result)
  if(CMAKE_CXX_COMPILER MATCHES hipcc)
    set(${result} HIP PARENT_SCOPE)
    return()
  endif()
  find_program(nvcc nvcc NO_CACHE)
  if(NOT nvcc)
    message(FATAL_ERROR "BLOCKFW_GPU needs nvcc on the PATH, or -DCMAKE_CXX_COMPILER=hipcc")
  endif()
  set(${result} CUDA PARENT_SCOPE)
endfunction()

function(blockfw_require_gpu)
  if(NOT kokkos_SOURCE_DIR)
    if(NOT Kokkos_DEVICES MATCHES "CUDA|HIP")
      message(FATAL_ERROR "The Kokkos in ${Kokkos_DIR} was built for no GPU: name another by -DKokkos_ROOT=FOLDER, or "
                          "have one fetched by -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON")
    endif()
  elseif(Kokkos_ENABLE_CUDA)
    # Kokkos asks the card for its architecture, and goes on without an answer.
    get_cmake_property(names VARIABLES)
    list(FILTER names INCLUDE REGEX "^Kokkos_ARCH_")
    foreach(name IN LISTS names)
      if(${name})
        return()
      endif()
    endforeach()
    message(FATAL_ERROR "No GPU was found here: name its architecture, such as -DKokkos_ARCH_HOPPER90=ON")
  endif()
endfunction()

# Pairs that compile, and crash.
function(blockfw_refuse_known_crashes)
  if(Kokkos_ENABLE_CUDA)
    find_package(CUDAToolkit QUIET)
    # Its Views have members of no size, which nvcc 13 places otherwise for the device than for the host.
    if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 13 AND Kokkos_VERSION VERSION_GREATER_EQUAL 4.6.99
       AND Kokkos_VERSION VERSION_LESS 4.7.2 AND NOT Kokkos_ENABLE_IMPL_VIEW_LEGACY)
      message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} with CUDA ${CUDAToolkit_VERSION} crashes in every reduction over a "
                          "View: please take Kokkos 4.7.2 or later, or CUDA 12")
    endif()
  endif()
endfunction()

macro(blockfw_need_cli11)
  set(CLI11_INSTALL OFF)
  FetchContent_Declare(CLI11 SYSTEM
    URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.1.tar.gz
    URL_HASH SHA256=73b7ec52261ce8fe980a29df6b4ceb66243bb0b779451dbd3d014cfec9fdbb58
    DOWNLOAD_EXTRACT_TIMESTAMP ON
    FIND_PACKAGE_ARGS)
  blockfw_make_available(CLI11)
endmacro()

macro(blockfw_need_doctest)
  set(DOCTEST_NO_INSTALL ON)
  FetchContent_Declare(doctest SYSTEM
    URL https://github.com/doctest/doctest/archive/refs/tags/v2.4.11.tar.gz
    URL_HASH SHA256=632ed2c05a7f53fa961381497bf8069093f0d6628c5f26286161fbd32a560186
    DOWNLOAD_EXTRACT_TIMESTAMP ON
    FIND_PACKAGE_ARGS)
  blockfw_make_available(doctest)
endmacro()
