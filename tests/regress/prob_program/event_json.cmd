prob mechanisms.dp --mechanism noisy --output 1/2..3 --digits 20 --json
