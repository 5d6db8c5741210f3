verify --no-search --trust-solver {file}
