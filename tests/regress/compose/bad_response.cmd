compose response:1/3 --delta 1e-5
