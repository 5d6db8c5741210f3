verify --strict {file}
