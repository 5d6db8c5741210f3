prob mechanisms.dp --mechanism noisy
