compose 1/2x10 1/10:1e-9x100 --delta 1e-5
