run {file} --seed 1 --samples 50 --json
