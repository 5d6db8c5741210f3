prob mechanisms.dp --mechanism gumbel
