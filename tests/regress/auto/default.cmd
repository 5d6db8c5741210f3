verify --timeout 1000 {file}
