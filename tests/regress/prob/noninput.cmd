prob svt.dipa --eps 1 --path q1->q2,q2->q2 --inputs 1,1
