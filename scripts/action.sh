#!/usr/bin/env bash
# What the GitHub action runs: verifies $FILES (patterns), writes $SARIF and $JUNIT (if given), a table
# into the summary of the job, and fails by the exit status of couplet. ALLOW_UNKNOWN=true lets 20 pass,
# STRICT=false claims that say nothing.
set -uo pipefail
couplet=$1
shopt -s nullglob globstar
files=()
while IFS= read -r pattern; do
  for file in $pattern; do files+=("$file"); done
done <<< "$(tr ' ' '\n' <<< "$FILES")"
[ "${#files[@]}" -gt 0 ] || { echo "::error::no file matches '$FILES'"; exit 2; }
options=(--sarif "$SARIF")
[ -z "${JUNIT:-}" ] || options+=(--junit "$JUNIT")
[ "${STRICT:-true}" = true ] && options+=(--strict)
# One run: the log and the summary are made from its record.
record=$(mktemp)
trap 'rm -f "$record"' EXIT
"$couplet" verify "${options[@]}" --timeout "$TIMEOUT" --jobs "$JOBS" --json -- "${files[@]}" > "$record"
status=$?
echo "status=$status" >> "${GITHUB_OUTPUT:-/dev/null}"
if [ -s "$record" ]; then
  "$couplet" merge "$record" 2>/dev/null
  "$couplet" merge --markdown "$record" >> "${GITHUB_STEP_SUMMARY:-/dev/null}" 2>/dev/null
fi
[ "$status" = 20 ] && [ "${ALLOW_UNKNOWN:-false}" = true ] && exit 0
exit "$status"
