#!/usr/bin/env bash
# What the GitHub action runs: verifies $FILES (patterns), writes $SARIF, a table into the summary of
# the job, and fails by the exit status of couplet. ALLOW_UNKNOWN=true lets 20 pass,
# STRICT=false claims that say nothing.
set -uo pipefail
couplet=$1
shopt -s nullglob globstar
files=()
while IFS= read -r pattern; do
  for file in $pattern; do files+=("$file"); done
done <<< "$(tr ' ' '\n' <<< "$FILES")"
[ "${#files[@]}" -gt 0 ] || { echo "::error::no file matches '$FILES'"; exit 2; }
strict=()
[ "${STRICT:-true}" = true ] && strict=(--strict)
"$couplet" verify "${strict[@]}" --timeout "$TIMEOUT" --jobs "$JOBS" --sarif "$SARIF" -- "${files[@]}" | tee verdicts.txt
status=${PIPESTATUS[0]}
echo "status=$status" >> "${GITHUB_OUTPUT:-/dev/null}"
{ echo '```'; cat verdicts.txt; echo '```'; } >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
rm -f verdicts.txt
[ "$status" = 20 ] && [ "$ALLOW_UNKNOWN" = true ] && exit 0
exit "$status"
