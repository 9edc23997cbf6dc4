#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes objects of nvcc's, in place, ready to be linked with each other:
#
#   cmake/keep_lambdas_apart.sh OBJECT...
#
# nvcc keeps a lambda for host and device (KOKKOS_LAMBDA) behind pointers to functions that each object has for itself, and
# that are set where the lambda is made. Functions that copy it are common to all objects, and the linker may take any one's.
# Where two objects have the same instance of a template, and one of them inlines such a function that the other does not,
# a copy is made by a pointer that was never set: a jump to address 0. So these functions become local to their objects.
#
#   LD, NM, OBJCOPY   GNU's programs (ld, nm and objcopy on the PATH)
set -euo pipefail

die() { echo "keep_lambdas_apart: $*" >&2; exit 1; }

ld=${LD:-ld} nm=${NM:-nm} objcopy=${OBJCOPY:-objcopy}
for tool in "$ld" "$nm" "$objcopy" awk; do
  command -v "$tool" >/dev/null || die "needs the program $tool, of GNU's binutils or awk: please install it"
done
[[ $("$ld" --help 2>&1) == *--force-group-allocation* ]] ||
  die "$ld has no option --force-group-allocation: expected GNU ld of binutils 2.29 or later (LD names it)"

object=
trap '[[ ! $object ]] || rm -f "$object.apart" "$object.unique"' EXIT
for object; do
  made=$object.apart unique=$object.unique
  { "$ld" -r --force-group-allocation -o "$made" "$object" &&
    "$nm" "$object" | awk '$2 == "u" { print $3 }' >"$unique" &&   # (those of one name would clash without their group)
    { [[ ! -s $unique ]] || "$objcopy" --weaken-symbols="$unique" "$made"; } &&
    "$objcopy" --wildcard --localize-symbol='*__nv_hdl_*' "$made" &&
    touch -r "$object" "$made" &&   # (or it would be newer than what is made of it)
    mv "$made" "$object"; } || die "$object stays as it was, and is not ready to be linked"
  rm "$unique"
done
