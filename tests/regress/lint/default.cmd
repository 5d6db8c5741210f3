verify --strict --no-search {file}
