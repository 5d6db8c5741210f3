prob svt.dipa --eps 1 --path q2->q2
