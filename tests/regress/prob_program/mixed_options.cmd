prob mechanisms.dp --mechanism noisy --output 1 --eps 1
