#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes objects of nvcc's, in place, ready to be linked with each other:
#
#   cmake/keep_lambdas_apart.sh OBJECT...
#
# nvcc keeps a lambda for host and device (KOKKOS_LAMBDA) behind pointers to functions that each object has for itself, and
# that are set where the lambda is made. Functions that copy it are common to all objects, and the linker takes any one's.
# Where two objects have the same instance of a template, and one of them inlines such a function that the other does not,
# a copy is made by a pointer that was never set: a jump to address 0. So these functions become local to their objects.
set -euo pipefail
for object in "$@"; do
  made=$object.apart unique=$object.unique
  ld -r --force-group-allocation -o "$made" "$object"
  nm "$object" | awk '$2 == "u" { print $3 }' > "$unique"  # (those of one name would clash without their group)
  if [[ -s $unique ]]; then objcopy --weaken-symbols="$unique" "$made"; fi
  objcopy --wildcard --localize-symbol='*__nv_hdl_*' "$made"
  touch -r "$object" "$made"  # (or it would be newer than what is made of it)
  mv "$made" "$object"
  rm "$unique"
done
