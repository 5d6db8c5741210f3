run {file} --seed 1
