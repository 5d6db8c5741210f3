explain --timeout 1000 {file}
