verify --search 1 --timeout 60 {file}
