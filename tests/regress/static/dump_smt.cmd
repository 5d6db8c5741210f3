verify --no-search --dump-smt no/such/folder {file}
