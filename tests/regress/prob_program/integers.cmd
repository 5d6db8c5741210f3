prob mechanisms.dp --mechanism count --digits 4
