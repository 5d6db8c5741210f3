run {file} --param eps=-1 --json
