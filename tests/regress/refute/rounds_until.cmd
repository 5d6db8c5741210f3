verify --timeout 600 --search 3 {file}
