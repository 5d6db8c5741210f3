verify --no-search {file}
