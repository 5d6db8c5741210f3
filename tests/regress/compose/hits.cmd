compose 0.1 --hits 50 --delta 1e-6 --json
