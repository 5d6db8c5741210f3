# %% [markdown]
# # How much noise does sparse vector need?
# Run as a script, or cell by cell in an editor that knows `# %%` cells. We write the mechanism
# with the scale of the query noise left open, and let Couplet judge three choices of it.

# %%
import couplet

TEMPLATE = """
param eps : real, eps > 0;
param n : int, n >= 0;
param N : int, N >= 1;

mechanism svt(private q : real[n], T : real) emits bool
  adjacent all_within(q, 1)
{
  t <$ Lap(T, 2/eps);
  count := 0;
  i := 0;
  while i < n and count < N {
    s <$ Lap(q[i], %s);
    if s >= t { emit true; count := count + 1; } else { emit false; }
    i := i + 1;
  }
}

claim private svt epsilon eps proof {
  sample t: shift 1;
  loop {
    invariant t<2> = t<1> + 1;
    invariant i<1> = i<2> and 0 <= i <= n and count<1> = count<2> and 0 <= count <= N;
    budget (N - count)*eps/(2*N);
    sample s: when s >= t shift 1 within 2 else null;
  }
}
"""

# %% The published scale, a generous one, and one that forgets that there are N answers.
verdicts = {}
for scale in ["4*N/eps", "8*N/eps", "4/eps"]:
    claim = couplet.verify_text(TEMPLATE % scale, name="svt.dp").claims[0]
    verdicts[scale] = claim.verdict
    print("query noise %-8s -> %s" % (scale, claim.verdict))

# %% What a counterexample says: two adjacent inputs and an output that is too likely in one of them.
bad = couplet.verify_text(TEMPLATE % "4/eps", name="svt.dp").claims[0]
if bad.counterexample:
    for key in sorted(bad.counterexample):
        print("%-12s %s" % (key, str(bad.counterexample[key])[:100]))

assert verdicts["4*N/eps"] == "proved"
assert verdicts["4/eps"] != "proved"
