run {file} --instance smal
