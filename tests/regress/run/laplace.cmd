run {file} --seed 1 --samples 2000
