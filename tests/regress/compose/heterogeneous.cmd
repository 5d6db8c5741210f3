compose gauss:10x100 laplace:20x10 response:3/5 1/4:1e-9 dgauss:8:2x3 --delta 1e-6 --json
