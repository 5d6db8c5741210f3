compose gauss:2x10 --delta 1e-5
