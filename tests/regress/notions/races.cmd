verify --timeout 60 {file}
