run --mechanism count --instance number {file}
