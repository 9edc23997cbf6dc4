# SPDX-License-Identifier: MIT
# Functions for those that use blockfw, installed or as a part of their project. It is included where Kokkos was found.

# blockfw_keep_lambdas_apart(TARGET) lets several files of a target, or of targets that are linked, use the same templates
# of this library's in a build by nvcc; keep_lambdas_apart.sh says why. With other compilers it does nothing. The target's
# own directory calls it, for a program or a library that is linked of objects.
if(Kokkos_ENABLE_CUDA AND NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set_property(GLOBAL PROPERTY BLOCKFW_BY_NVCC ON)
else()
  set_property(GLOBAL PROPERTY BLOCKFW_BY_NVCC OFF)
endif()

function(blockfw_keep_lambdas_apart target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "blockfw_keep_lambdas_apart: there is no target ${target}")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "EXECUTABLE|STATIC_LIBRARY|SHARED_LIBRARY|MODULE_LIBRARY")
    message(FATAL_ERROR "blockfw_keep_lambdas_apart: ${target} is of type ${type}, expected a program or a library that is "
                        "linked of objects")
  endif()
  get_property(by_nvcc GLOBAL PROPERTY BLOCKFW_BY_NVCC)
  if(NOT by_nvcc)
    return()
  endif()
  set(tools)
  if(CMAKE_LINKER AND NOT CMAKE_LINKER MATCHES "lld|gold|mold")  # of which GNU's alone can do this
    list(APPEND tools LD=${CMAKE_LINKER})
  endif()
  foreach(tool NM OBJCOPY)
    if(CMAKE_${tool})
      list(APPEND tools ${tool}=${CMAKE_${tool}})
    endif()
  endforeach()
  add_custom_command(TARGET ${target} PRE_LINK COMMAND_EXPAND_LISTS VERBATIM
    COMMAND ${CMAKE_COMMAND} -E env ${tools} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/keep_lambdas_apart.sh
            $<TARGET_OBJECTS:${target}>)
endfunction()

# Warns, once in a configuration, where those that use blockfw compile it without optimisation. Generators of several
# configurations are left alone: they choose one later.
function(blockfw_warn_of_build_type)
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  get_property(warned GLOBAL PROPERTY blockfw_warned_of_build_type)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  get_directory_property(options COMPILE_OPTIONS)
  set(flags ${CMAKE_CXX_FLAGS} ${options})
  if(type STREQUAL DEBUG)
    set(flags ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_DEBUG} ${options})
  endif()
  string(REGEX MATCHALL "(^|[ ;])-O[^ ;]*" levels "${flags}")
  list(POP_BACK levels last)  # (the last one counts)
  if(several OR warned OR NOT type MATCHES "^(DEBUG)?$" OR (last AND NOT last MATCHES "-O0$"))
    return()
  endif()
  set_property(GLOBAL PROPERTY blockfw_warned_of_build_type TRUE)
  message(WARNING "blockfw is compiled with your files, and CMAKE_BUILD_TYPE is '${CMAKE_BUILD_TYPE}': without optimisation, solves "
    "take ten times as long or more. Please configure with -DCMAKE_BUILD_TYPE=Release")
endfunction()
