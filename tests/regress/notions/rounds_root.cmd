verify --timeout 280 {file}
