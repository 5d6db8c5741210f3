prob ambiguous.dipa --eps 1 --path q1->q2,q2->q2#2
