prob mechanisms.dp --mechanism gauss
