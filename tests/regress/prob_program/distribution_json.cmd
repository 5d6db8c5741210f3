prob mechanisms.dp --mechanism noisy_max --digits 6 --json
