run {file} --seed 3 --param eps=1 --input in=[0,1,2,3]
