verify --no-search --timeout 60 {file}
