prob svt.dipa --eps 1 --path q1->q3
