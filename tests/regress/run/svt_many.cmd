run {file} --seed 1 --samples 500
