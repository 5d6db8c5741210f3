compose gauss:1 --delta 1e-5 --epsilon 1
