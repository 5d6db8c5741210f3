/* Above threshold in the style of other checkers' files: strings state what is claimed. */
int above(float q[], int size, float epsilon, float T)
{
  "TYPES: epsilon: <0, 0>; size: <0, 0>; q: <*, *>; T: <0, 0>";
  "PRECONDITION: ALL_DIFFER;";
  "CHECK: epsilon";

  float bar = T + Lap(2 / epsilon);
  int i = 0;
  while (i < size)
  {
    float noisy = q[i] + Lap(4 / epsilon);
    if (noisy >= bar)
    {
      CHECKDP_OUTPUT(1);
      break;
    }
    CHECKDP_OUTPUT(0);
    i = i + 1;
  }
}
