prob mechanisms.dp --mechanism race
