prob mechanisms.dp
