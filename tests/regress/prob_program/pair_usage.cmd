prob mechanisms.dp --mechanism race --input x=0 --other x=1
