# SPDX-License-Identifier: MIT
# Lets several files of a target, or of targets that are linked, use the same templates in a build by nvcc; the script says
# why. The target's own directory calls this.
set(blockfw_keep_lambdas_apart_script ${CMAKE_CURRENT_LIST_DIR}/keep_lambdas_apart.sh CACHE INTERNAL "")

function(blockfw_keep_lambdas_apart target)
  if(Kokkos_ENABLE_CUDA AND NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    add_custom_command(TARGET ${target} PRE_LINK
      COMMAND ${blockfw_keep_lambdas_apart_script} $<TARGET_OBJECTS:${target}> COMMAND_EXPAND_LISTS VERBATIM)
  endif()
endfunction()
