run {file} --param ep=1
