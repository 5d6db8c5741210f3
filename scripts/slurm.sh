#!/usr/bin/env bash
# One task of a Slurm job array: verifies its shard of the files and leaves its record in OUT.
#
#   sbatch --array=1-16 scripts/slurm.sh OUT FILE...          or: ... OUT --files-from LIST
#   couplet merge OUT/shard-*.json                            when all tasks are done
#
# Options of couplet verify go before the files. $COUPLET names the program (default: couplet).
# A task fails only if it leaves no record: verdicts are judged when the records are merged.
set -uo pipefail
[ $# -ge 2 ] || { echo "usage: sbatch --array=1-N scripts/slurm.sh OUT [OPTION]... FILE..." >&2; exit 1; }
[ -n "${SLURM_ARRAY_TASK_ID:-}" ] || { echo "slurm.sh: this is no task of a job array; submit with sbatch --array=1-N" >&2; exit 1; }
out=$1
shift
# Arrays may begin anywhere and have steps.
first=${SLURM_ARRAY_TASK_MIN:-1} step=${SLURM_ARRAY_TASK_STEP:-1} of=${SLURM_ARRAY_TASK_COUNT:?}
number=$(((SLURM_ARRAY_TASK_ID - first) / step + 1))
mkdir -p "$out"
record=$out/shard-$(printf %05d "$number").json
# Time limits of jobs and lost nodes leave no half of a record under that name.
"${COUPLET:-couplet}" verify --json --shard "$number/$of" --jobs "${SLURM_CPUS_PER_TASK:-1}" "$@" > "$record.part"
status=$?
case $status in
  0 | 2 | 10 | 20 | 30) [ -s "$record.part" ] && mv "$record.part" "$record" || exit "$status" ;;
  *) rm -f "$record.part"; exit "$status" ;;
esac
