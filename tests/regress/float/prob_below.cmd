prob {file} --output ..1
