prob mechanisms.dp --mechanism noisy_max --output 2 --param eps=1/2 --input "q=[0, 0, 0]"
