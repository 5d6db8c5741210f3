fmt --check {file}
