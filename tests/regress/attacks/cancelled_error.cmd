verify --search 0.3 {file}
