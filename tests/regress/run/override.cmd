run {file} --seed 1 --param eps=1000 --param 'n = 2' --input 'q=[0, 9]'
