#!/usr/bin/env bash
# Every diagnostic code of the language is listed in docs/checks.md, and every listed code exists.
# In src/lang and src/run a string like "type-mismatch" is always a code.
set -euo pipefail
cd "$(dirname "$0")/../.."
used=$(grep -ohE '"[a-z]+(-[a-z]+)+"' src/lang/*/*.c src/run/*/*.c | tr -d '"' | sort -u)
anywhere=$(grep -rohE '"[a-z]+(-[a-z]+)+"' src --include='*.c' | tr -d '"' | sort -u)
listed=$(grep -oE '^\| `[a-z-]+`' docs/checks.md | tr -d '|` ' | sort)
fail=0
missing=$(comm -23 <(echo "$used") <(echo "$listed" | uniq))
stale=$(comm -13 <(echo "$anywhere") <(echo "$listed" | uniq))
twice=$(echo "$listed" | uniq -d)
for code in $missing; do echo "not in docs/checks.md: $code"; fail=1; done
for code in $stale; do echo "in docs/checks.md but in no source: $code"; fail=1; done
for code in $twice; do echo "twice in docs/checks.md: $code"; fail=1; done
# Every code of the checker is shown by some golden or unit test.
for code in $(grep -ohE '"[a-z]+(-[a-z]+)+"' src/lang/check/check*.c | tr -d '"' | sort -u); do
  grep -rqF "[$code]" tests/regress --include='*.expected' || grep -rqF "\"$code" tests/unit/lang ||
    { echo "no test shows: $code"; fail=1; }
done
exit $fail
