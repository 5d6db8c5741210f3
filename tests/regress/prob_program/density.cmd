prob mechanisms.dp --mechanism noisy --output 1 --digits 25
