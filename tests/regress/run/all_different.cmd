run --seed 1 --samples 100 {file}
