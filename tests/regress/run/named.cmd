run {file} --seed 5 --mechanism b
