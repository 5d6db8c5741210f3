prob svt.dipa --eps 1 --output begin --path q1->q2
