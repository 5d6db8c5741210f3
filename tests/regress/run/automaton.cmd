run {file} --seed 1 --samples 300 --param eps=1 --input in=[0,1,2,3]
