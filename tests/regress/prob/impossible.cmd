prob svt.dipa --eps 1 --output above
