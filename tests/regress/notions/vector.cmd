verify --no-search --timeout 120 {file}
