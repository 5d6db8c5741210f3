prob {file}
