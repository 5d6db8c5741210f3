run {file} --input r=1
