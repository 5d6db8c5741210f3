#!/usr/bin/env bash
# Compiled samplers: samples per second of processor time, beside a sampler in doubles that inverts the
# distribution function (fast, and not private), and how well 10^7 samples fit.
#   bench/compile.sh [COUPLET] [SAMPLES]
set -euo pipefail
couplet=${1:-build/couplet}
samples=${2:-10000000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/main.c" <<'C'
#include <math.h>
#include <time.h>

/* As libraries do it; samples are added up below so that no call is left out. */
static double naive(struct cp *c, double scale) {
  double u = (cp_random_word(c) >> 1) * 0x1p-31 - 0.5;
  return round(-scale * copysign(log(1 - 2 * fabs(u)), u));
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 1;
  struct cp c;
  cp_open(&c);
  if (setjmp(c.failed)) return 2;
  const struct cp_number scales[] = {{cp_word(1), cp_word(2)}, {cp_word(10), cp_word(3)}, {cp_word(1000), cp_word(1)}};
  for (int k = 0; k < 3; k++) {
    double scale = (double)scales[k].num.small / (double)scales[k].den.small, sum = 0, seconds[3];
    for (int which = 0; which < 3; which++) {
      clock_t start = clock();
      for (long i = 0; i < count; i++) {
        if (which == 2) sum += naive(&c, scale);
        else if (which == 1) sum += (double)cp_draw_discrete_gauss(&c, "", cp_small(0), scales[k]).num.small;
        else sum += (double)cp_draw_discrete_laplace(&c, "", cp_small(0), scales[k]).num.small;
      }
      seconds[which] = (double)(clock() - start) / CLOCKS_PER_SEC;
    }
    printf("scale %-8.4g DLap %5.2f   DGauss %5.2f   doubles %5.2f   million samples/s   (mean %.2f)\n", scale,
           count / seconds[0] / 1e6, count / seconds[1] / 1e6, count / seconds[2] / 1e6, sum / (3.0 * count));
  }
  cp_close(&c);
  return 0;
}
C
for name in laplace gauss; do
  "$couplet" compile tests/compile/noise.dp --mechanism $name -o "$dir/$name.c" > /dev/null
  cc -std=c17 -O2 -DCOUPLET_RANDOM=seeded_random "$dir/$name.c" tests/compile/seeded.c -o "$dir/$name"
done
cc -std=gnu17 -O2 -DCOUPLET_LIBRARY -include "$dir/laplace.c" "$dir/main.c" -lm -o "$dir/speed"
"$dir/speed" $((samples / 5))
# in runs of 10^5: scale n/eps = 10/3, sigma 7/2
for name in laplace gauss; do
  [ $name = laplace ] && scale=3.3333333333333335 || scale=3.5
  SEED=1 "$dir/$name" eps=30000 sigma=7/2 n=100000 x=0 --samples $((samples / 100000)) |
    python3 tests/compile/fit.py $name $scale
done
