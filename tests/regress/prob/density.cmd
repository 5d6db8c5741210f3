prob numeric.dipa --eps 1 --path q1->q2,q2->q3:@1/2 --digits 25
