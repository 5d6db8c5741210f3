prob {file} --eps 2 --output begin,below,-1/2..1.5 --inputs 0,-1,1 --json
