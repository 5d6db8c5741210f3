run {file} --samples 0
