#!/usr/bin/env bash
# A solver that hangs and ignores every signal it can ignore, and its own time limit: `--timeout`
# holds all the same, the other files are judged, and no process is left behind.
set -uo pipefail
export COUPLET_CACHE=off
couplet=$1
case $couplet in *asan*) echo "skipped: the sanitizer wants to be the first library"; exit 77 ;; esac
command -v gcc >/dev/null || { echo "skipped: no gcc"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
# Z3 is loaded by name when it is needed: the shim answers for it.
cat > "$dir/hang.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
static int hang(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, 0);
  for (;;) usleep(50000);
}
void *dlsym(void *library, const char *name) {
  static void *(*real)(void *, const char *);
  if (!real) real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
  if (!real) real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  return strncmp(name, "Z3_solver_check", 15) == 0 ? (void *)hang : real(library, name);
}
END
gcc -shared -fPIC -o "$dir/hang.so" "$dir/hang.c" || fail "no shim"
judge() { # judge SECONDS FILE...: with the hanging solver
  local seconds=$1
  shift
  timeout 60 env LD_PRELOAD="$dir/hang.so" COUPLET_MARK="$dir" "$couplet" verify --timeout "$seconds" "$@" > "$dir/out" 2> "$dir/err"
}
begin=$(date +%s)
judge 1 examples/proofs/laplace.dp
status=$?
[ "$status" = 20 ] || { cat "$dir/out" "$dir/err"; fail "status $status instead of 20"; }
grep -q 'unknown  laplace' "$dir/out" || { cat "$dir/out"; fail "not unknown"; }
[ $(($(date +%s) - begin)) -lt 30 ] || fail "the limit of 1 s was not kept"

# The automaton needs no solver; both orders, one and two at a time.
for jobs in 1 2; do
  judge 1 --jobs $jobs examples/proofs/laplace.dp examples/automata/svt.dipa examples/proofs/svt.dp
  status=$?
  [ "$status" = 20 ] || fail "status $status with --jobs $jobs"
  [ "$(grep -c '^  unknown' "$dir/out")" = 2 ] && grep -q '^  proved   svt' "$dir/out" || { cat "$dir/out"; fail "one hanging file stops another"; }
done

# Killed from outside in the middle: nothing lives on.
env LD_PRELOAD="$dir/hang.so" COUPLET_MARK="$dir" "$couplet" verify --timeout 100 examples/proofs/laplace.dp > /dev/null 2>&1 &
pid=$!
sleep 1
kill -KILL "$pid"
wait "$pid" 2> /dev/null
sleep 0.5
left=$(grep -lsa "COUPLET_MARK=$dir" /proc/[0-9]*/environ | grep -v "/$$/" || true)
[ -z "$left" ] || fail "processes are left: $left"
# the same without the shim is a proof: the test can fail
"$couplet" verify --timeout 20 examples/proofs/laplace.dp | grep >/dev/null '^  proved' || fail "no proof with a solver that works"
echo "watchdog: fine"
