prob mechanisms.dp --mechanism noisy --output [1,
