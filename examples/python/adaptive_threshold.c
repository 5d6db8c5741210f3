/* Sparse vector that answers with the gap to the threshold and keeps a budget: a query far above the
 * threshold is answered at half the price of one just above it, and the loop ends when the next answer
 * might cost more than is left. */
float adaptive(float q[], int size, float epsilon, float T, int N)
{
  "TYPES: epsilon: <0, 0>; size: <0, 0>; q: <*, *>; T: <0, 0>; N: <0, 0>";
  "PRECONDITION: ALL_DIFFER; ASSUME(N > 0);";
  "CHECK: epsilon";

  float threshold = T + Lap(2 / epsilon);
  float left = epsilon / 2;
  int i = 0;

  while (i < size)
  {
    float far = Lap(8 * N / epsilon);
    if (q[i] + far - threshold >= 12)
    {
      CHECKDP_OUTPUT(q[i] + far - threshold);
      left = left - epsilon / (4 * N);
    }
    else
    {
      float near = Lap(4 * N / epsilon);
      if (q[i] + near >= threshold)
      {
        CHECKDP_OUTPUT(q[i] + near - threshold);
        left = left - epsilon / (2 * N);
      }
      else
      {
        CHECKDP_OUTPUT(0);
      }
    }
    i = i + 1;
    if (left < epsilon / (2 * N))
    {
      break;
    }
  }
}
