prob {file} --param eps=1 --input input=[1]
