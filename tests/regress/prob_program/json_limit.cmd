prob mechanisms.dp --json --mechanism noisy
