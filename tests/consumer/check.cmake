# SPDX-License-Identifier: MIT
# Builds and runs the project beside this file in the folder WORK, with blockfw from SOURCE, or from BUILD by way of an
# installation, there with the component NAME if WITH_NAME. Also given: COMPILER and KOKKOS, the compiler and the folder of
# Kokkos's CMake files.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${WORK})
if(SOURCE)
  # Our own tuning must not reach the consumer, even if it is asked for.
  set(blockfw -DBLOCKFW_SOURCE=${SOURCE} -DBLOCKFW_NATIVE=ON)
else()
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE script ${WORK}/prefix/*/keep_lambdas_apart.sh)
  execute_process(COMMAND ${script} COMMAND_ERROR_IS_FATAL ANY)
  set(blockfw -DCMAKE_PREFIX_PATH=${WORK}/prefix -DWITH_mpi=${WITH_mpi} -DWITH_metis=${WITH_metis} -DWITH_amd=${WITH_amd}
      -DWITH_zlib=${WITH_zlib})
endif()

execute_process(
  COMMAND ${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/build -DCMAKE_CXX_COMPILER=${COMPILER}
          -DKokkos_DIR=${KOKKOS} ${blockfw}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build COMMAND_ERROR_IS_FATAL ANY)
set(programs consumer)
foreach(component mpi metis amd zlib)
  if(WITH_${component} AND NOT SOURCE)
    list(APPEND programs consumer_${component})
  endif()
endforeach()
foreach(program ${programs})
  execute_process(COMMAND ${WORK}/build/${program} OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  if(NOT said STREQUAL "distance 7\n")
    message(FATAL_ERROR "${program} said: ${said}")
  endif()
endforeach()

# Nothing is compiled but the consumers, and with none of our flags.
list(LENGTH programs expected)
file(READ ${WORK}/build/compile_commands.json commands)
string(JSON files LENGTH "${commands}")
if(NOT files EQUAL expected)
  message(FATAL_ERROR "${files} files were compiled:\n${commands}")
endif()
if(commands MATCHES "-march=native|-Werror|-Wconversion")
  message(FATAL_ERROR "a flag of our own leaked:\n${commands}")
endif()
