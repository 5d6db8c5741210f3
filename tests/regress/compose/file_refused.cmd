compose {file}:rho --delta 1e-5
