compose {file}:orders --delta 1e-5
