fmt --stdout {file}
