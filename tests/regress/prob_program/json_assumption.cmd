prob mechanisms.dp --json --mechanism noisy --param eps=-1
