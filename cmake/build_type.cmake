# SPDX-License-Identifier: MIT
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
