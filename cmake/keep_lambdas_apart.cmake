# SPDX-License-Identifier: MIT
# blockfw_keep_lambdas_apart(TARGET) lets several files of a target, or of targets that are linked, use the same templates
# of this library's in a build by nvcc; keep_lambdas_apart.sh says why. With other compilers it does nothing. The target's
# own directory calls it, for a program or a library that is linked of objects. (It is included where Kokkos was found,
# and called from any folder.)
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
