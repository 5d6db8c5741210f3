explain {file}
