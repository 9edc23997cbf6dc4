#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Reading and writing of a homework case beside cp of the same files, alternately; medians and bests.
#
#   scripts/sandbox benchmarks/io.sh [FOLDER [REPEATS]]
#
# FOLDER (default: build) decides which disk is measured.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p build
folder=$(mktemp -d "${1:-build}/io.XXXXXX") repeats=${2:-9}
trap 'rm -rf "$folder"' EXIT
generate --case c21.1 --seed 1 "$folder/case"

copy_seconds() {   # of file $1
  rm -f "$folder/copy"
  local start=$EPOCHREALTIME
  cp "$1" "$folder/copy"
  awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'
}

for ((repeat = 0; repeat < repeats; ++repeat)); do
  rm -f "$folder/distances"
  hw3-1 --stats "$folder/case" "$folder/distances" | awk '$1 ~ /ing$/ { print $1, $2 }'
  echo cp-input "$(copy_seconds "$folder/case")"
  echo cp-output "$(copy_seconds "$folder/distances")"
done >"$folder/times"

sort -k1,1 -k2,2g "$folder/times" | awk -v repeats="$repeats" '
  $1 != last { last = $1; count = 0; best[$1] = $2 }
  ++count == int((repeats + 1) / 2) { median[$1] = $2 }
  function row(what, ours, cp) {
    printf "| %s | %.0f | %.0f | %.2f | %.0f | %.0f | %.2f |\n", what,
      1e3 * median[ours], 1e3 * median[cp], median[ours] / median[cp], 1e3 * best[ours], 1e3 * best[cp], best[ours] / best[cp]
  }
  END {
    print "| step | median ms | cp ms | ratio | best ms | cp ms | ratio |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    row("reading 128.7 MB", "reading", "cp-input")
    row("writing 100 MB", "writing", "cp-output")
    printf "| building | %.0f | | | %.0f | | |\n", 1e3 * median["building"], 1e3 * best["building"]
    printf "| solving | %.0f | | | %.0f | | |\n", 1e3 * median["solving"], 1e3 * best["solving"]
  }'
