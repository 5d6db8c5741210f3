compose sgauss:2:1/100x100 --epsilon 1/4
