run {file} --param eps=0 --input in=[]
