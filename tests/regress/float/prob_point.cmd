prob {file} --output 1.5
