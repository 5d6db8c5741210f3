prob mechanisms.dp --mechanism noisy_max
