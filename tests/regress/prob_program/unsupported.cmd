prob mechanisms.dp --mechanism sums
