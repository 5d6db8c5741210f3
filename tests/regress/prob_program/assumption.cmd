prob mechanisms.dp --mechanism noisy --param eps=-1
