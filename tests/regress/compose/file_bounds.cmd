compose {file}:rho {file}:order {file}:mu --delta 1e-5
