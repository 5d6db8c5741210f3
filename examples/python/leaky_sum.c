/* Wrong: one of the two sums is published without noise. */
float leaky(float epsilon, int size, float q[])
{
  "ONE_DIFFER;";
  "epsilon: <0, 0>; size: <0, 0>; q: <*, *>";
  float sum = 0, raw = 0;
  for (int i = 0; i < size; i++)
  {
    sum += q[i] + Lap(1.0 / epsilon, "ALIGNED; 0;");
    raw += q[i];
  }
  return size > 1 ? raw : sum;
}
