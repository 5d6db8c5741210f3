prob svt.dipa --eps 0 --output begin
