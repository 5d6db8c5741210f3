verify {file}
