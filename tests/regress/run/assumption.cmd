run {file} --param eps=0
