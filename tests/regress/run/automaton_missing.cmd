run {file}
