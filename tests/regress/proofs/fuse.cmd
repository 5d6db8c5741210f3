verify --no-search --no-times {file}
