verify --timeout 600 --search 200 {file}
