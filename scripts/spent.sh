# SPDX-License-Identifier: MIT
# To be sourced: counts processor time, and says at the end of the outermost script how much it was.
#
#   spent compiling|testing COMMAND...   runs the command, and counts it and all that it starts
#   spent_on_files BUILD                 notes the files that were compiled in a build folder since this script began
if [[ -z ${BLOCKFW_SPENT-} ]]; then
  export BLOCKFW_SPENT=$(mktemp)
  trap say_spent EXIT
fi

spent_began=$(date +%s%N)

# Sets `seconds` to the processor time of all ended children of this shell.
children() {
  LC_ALL=C times >"$BLOCKFW_SPENT.now"
  seconds=$(awk 'NR == 2 { split($1 "m" $2, part, "m"); sub(",", ".", part[2]); sub(",", ".", part[4]); print part[1] * 60 + part[2] + part[3] * 60 + part[4] }' "$BLOCKFW_SPENT.now")
}

spent() {
  local kind=$1 status=0 before seconds
  children
  before=$seconds
  "${@:2}" || status=$?
  children
  printf '%s\t%s\n' "$kind" "$(awk "BEGIN { print $seconds - $before }")" >>"$BLOCKFW_SPENT"
  return $status
}

# (Ninja's log has when a file was begun and done in milliseconds, and the date of what was made in nanoseconds.)
spent_on_files() {
  [[ -e $1/.ninja_log ]] || return 0
  awk -F '\t' -v began="$spent_began" -v build="${1##*/}" '
    $3 >= began && $4 ~ /[.](o|gch)$/ {
      name = $4
      sub("CMakeFiles/[^/]*[.]dir/", "", name)
      sub(/[.](o|gch)$/, "", name)
      print "file\t" ($2 - $1) / 1000 "\t" build ": " name
    }' "$1/.ninja_log" | sort -u >>"$BLOCKFW_SPENT"
}

say_spent() {
  awk -F '\t' '
    $1 == "file" { files[$3] = $2; next }
    { minutes[$1] += $2 / 60 }
    END {
      printf "%.1f processor minutes of compiling, %.1f of testing", minutes["compiling"], minutes["testing"]
      for (place = 1; place <= 5; ++place) {
        most = 0
        for (name in files) if (files[name] > most) { most = files[name]; longest = name }
        if (most == 0) break
        printf "%s%s %.0f s", place == 1 ? "; the slowest files: " : ", ", longest, most
        delete files[longest]
      }
      print ""
    }' "$BLOCKFW_SPENT"
  rm -f "$BLOCKFW_SPENT" "$BLOCKFW_SPENT.now"
}
