compose {file}:rhox3 {file}:order {file}:mu --delta 1e-5
