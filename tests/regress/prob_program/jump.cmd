prob mechanisms.dp --mechanism noisy --output 1..1
