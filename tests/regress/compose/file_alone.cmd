compose release.dp --delta 1e-5
