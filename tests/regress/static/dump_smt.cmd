verify --no-search --dump-smt {file}/folder {file}
