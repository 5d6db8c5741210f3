run {file} --seed 1 --samples 3 --json
