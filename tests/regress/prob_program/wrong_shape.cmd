prob mechanisms.dp --mechanism noisy --output true
