prob {file} --input x=0.1 --output 0.1..0.3
