prob {file} --eps 1 --output begin,below,above --inputs=-,0,1
