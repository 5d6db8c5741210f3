run {file} --param eps=1+
