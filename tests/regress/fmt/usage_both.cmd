fmt --check --stdout check_clean.dp
