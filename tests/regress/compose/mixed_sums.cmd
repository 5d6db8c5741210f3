compose zcdp:1/20x3 renyi:8:1/5 --delta 1e-5
