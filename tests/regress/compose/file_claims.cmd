compose {file}:mux16 {file}:pure --delta 1e-5
