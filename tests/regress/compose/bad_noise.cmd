compose sgauss:1:2 --delta 1e-5
