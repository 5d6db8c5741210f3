compose laplace:2x3
