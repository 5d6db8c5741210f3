prob mechanisms.dp --mechanism race --input x=0 --other x=1 --epsilon 1/4 --order 2 --digits 15
