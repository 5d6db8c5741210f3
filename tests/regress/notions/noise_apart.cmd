verify --no-search --timeout 280 {file}
