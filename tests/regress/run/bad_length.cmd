run {file} --input q=[1,2]
