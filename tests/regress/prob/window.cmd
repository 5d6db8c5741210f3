prob numeric.dipa --eps 1 --output begin,2..1
