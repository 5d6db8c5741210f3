run {file} --param n=1
