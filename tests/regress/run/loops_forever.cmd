run {file} --max-steps 1000
