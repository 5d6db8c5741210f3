prob mechanisms.dp --mechanism discrete_gauss
