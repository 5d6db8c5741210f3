compose 0.1x400 --delta 1e-6
