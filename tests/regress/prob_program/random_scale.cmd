prob mechanisms.dp --mechanism random_scale
