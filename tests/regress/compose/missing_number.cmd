compose sgauss:1 --delta 1e-5
