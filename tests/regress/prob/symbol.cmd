prob svt.dipa --eps 1 --output begin,blow
