prob mechanisms.dp --mechanism noisy_max --other q=[1,1,1] --epsilon 1/2 --json
