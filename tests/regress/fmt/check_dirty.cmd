fmt --check check_clean.dp {file}
