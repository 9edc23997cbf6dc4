#!/usr/bin/env bash
# Reading and writing of a homework case beside cp of the same files, in turns; medians.
#
#   scripts/sandbox benchmarks/io.sh [FOLDER [TURNS]]
#
# FOLDER (default: build) decides which disk is measured.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p build
folder=$(mktemp -d "${1:-build}/io.XXXXXX") turns=${2:-9}
trap 'rm -rf "$folder"' EXIT
generate --case c21.1 --seed 1 "$folder/case"

copy_seconds() {   # of file $1
  rm -f "$folder/copy"
  local start=$EPOCHREALTIME
  cp "$1" "$folder/copy"
  awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'
}

for ((turn = 0; turn < turns; ++turn)); do
  rm -f "$folder/distances"
  hw3-1 --stats "$folder/case" "$folder/distances" | awk '$1 ~ /ing$/ { print $1, $2 }'
  echo cp-input "$(copy_seconds "$folder/case")"
  echo cp-output "$(copy_seconds "$folder/distances")"
done >"$folder/times"

sort -k1,1 -k2,2g "$folder/times" | awk -v turns="$turns" '
  $1 != last { last = $1; count = 0 }
  ++count == int((turns + 1) / 2) { median[$1] = $2 }
  END {
    print "| step | median ms | cp ms | ratio |\n| --- | ---: | ---: | ---: |"
    printf "| reading 128.7 MB | %.0f | %.0f | %.2f |\n", 1e3 * median["reading"], 1e3 * median["cp-input"], median["reading"] / median["cp-input"]
    printf "| writing 100 MB | %.0f | %.0f | %.2f |\n", 1e3 * median["writing"], 1e3 * median["cp-output"], median["writing"] / median["cp-output"]
    printf "| building | %.0f | | |\n| solving | %.0f | | |\n", 1e3 * median["building"], 1e3 * median["solving"]
  }'
