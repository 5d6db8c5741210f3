compose --delta 1e-6
