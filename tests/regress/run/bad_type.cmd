run {file} --param n=1/2
