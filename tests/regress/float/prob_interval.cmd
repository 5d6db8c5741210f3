prob {file} --output 1..2
