# SPDX-License-Identifier: MIT
# The library's targets: blockfw, its components, and what our own programs are compiled with. The project includes this,
# and so does the Python package, which can be built without the rest of the project.
include(GNUInstallDirs)
include(${CMAKE_CURRENT_LIST_DIR}/components.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH library_folder)

# A project of its own looks for everything; one that adds us says what it wants.
set(component_wanted OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(component_wanted AUTO)
endif()

blockfw_need_kokkos()
include(${CMAKE_CURRENT_LIST_DIR}/downstream.cmake)

# Compiles by ccache where it is installed, in a build of this project alone. -DCMAKE_CXX_COMPILER_LAUNCHER= builds without
# it. (Kokkos's own launcher for nvcc leaves no room for another.)
#
# A hit needs the same bytes, whatever the checkout folder and the dates of files: paths below the checkout are hashed as
# relative ones, and a precompiled header counts by its content. What a file includes is taken from its compilation
# (CCACHE_DEPEND): the preprocessor alone would read a precompiled header that is older than the headers in it.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER AND NOT Kokkos_ENABLE_CUDA)
  find_program(BLOCKFW_CCACHE ccache)
  mark_as_advanced(BLOCKFW_CCACHE)
  if(BLOCKFW_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${BLOCKFW_CCACHE})
  endif()
endif()

if(NOT PROJECT_IS_TOP_LEVEL)
  blockfw_warn_of_build_type()  # (not before Kokkos, which chooses one where none is given and it is fetched)
endif()

set(BLOCKFW_DEVICE OFF)  # whether it is one for a device, whose compiler takes all our files
if(Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_HIP)
  set(BLOCKFW_DEVICE ON)
endif()

add_library(blockfw INTERFACE)
add_library(blockfw::blockfw ALIAS blockfw)
target_compile_features(blockfw INTERFACE cxx_std_20)
target_link_libraries(blockfw INTERFACE Kokkos::kokkos)
target_include_directories(blockfw INTERFACE
  $<BUILD_INTERFACE:${library_folder}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# Each library of others that a header needs is a component.
foreach(component IN LISTS blockfw_header_components)
  list(GET blockfw_library_of_${component} 0 header)
  list(GET blockfw_library_of_${component} 1 library)
  string(TOUPPER BLOCKFW_${component} option)
  set(${option} ${component_wanted} CACHE STRING
    "The component ${component}, blockfw/${header}: ON, OFF, or AUTO, if there is the library")
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
  set(blockfw_library_found FALSE)
  if(${option} STREQUAL AUTO)
    blockfw_find_library(${component} QUIET)
  elseif(${option})
    blockfw_find_library(${component} REQUIRED)
  endif()
  if(blockfw_library_found)
    add_library(blockfw_${component} INTERFACE)
    add_library(blockfw::${component} ALIAS blockfw_${component})
    set_target_properties(blockfw_${component} PROPERTIES EXPORT_NAME ${component})
    target_link_libraries(blockfw_${component} INTERFACE blockfw::blockfw ${library})
  endif()
endforeach()
if(TARGET blockfw_mpi)  # it needs MPI's C interface alone
  target_compile_definitions(blockfw_mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
endif()

# What our own programs and tests are compiled with; nothing of it reaches a downstream.
add_library(blockfw_own INTERFACE)
target_link_libraries(blockfw_own INTERFACE blockfw::blockfw)
if(NOT Kokkos_ENABLE_CUDA OR CMAKE_CXX_COMPILER_ID MATCHES Clang)  # g++ would warn of what nvcc makes of the code
  target_compile_options(blockfw_own INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
endif()
# g++ looks for memory to free less often: a twelfth of the time at -O0, for a quarter more memory.
target_compile_options(blockfw_own INTERFACE
  "$<$<AND:$<CONFIG:Tests>,$<CXX_COMPILER_ID:GNU>>:SHELL:--param ggc-min-heapsize=400000>")

# The calls in the built-in types, compiled. Our programs and tests link them, whether they are components or not.
set(BLOCKFW_COMPILED ${component_wanted} CACHE STRING
  "The components compiled and compiled_mpi, libraries of the built-in types: ON, OFF, or AUTO, if our programs or tests are built")
set_property(CACHE BLOCKFW_COMPILED PROPERTY STRINGS AUTO ON OFF)
set(programs_or_tests OFF)
if(BLOCKFW_BUILD_PROGRAMS OR BLOCKFW_BUILD_TESTS)
  set(programs_or_tests ON)
endif()
set(BLOCKFW_COMPILED_IS_COMPONENT ${BLOCKFW_COMPILED})
if(BLOCKFW_COMPILED STREQUAL AUTO)
  set(BLOCKFW_COMPILED_IS_COMPONENT ${programs_or_tests})
endif()
if(BLOCKFW_COMPILED_IS_COMPONENT)
  add_subdirectory(${library_folder}/src)
elseif(programs_or_tests)
  add_subdirectory(${library_folder}/src EXCLUDE_FROM_ALL)
endif()
