prob {file} --eps 1 --output o,o,o --digits 5
