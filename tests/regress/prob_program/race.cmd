prob mechanisms.dp --mechanism race --input x=1/2 --digits 20
