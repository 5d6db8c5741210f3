prob nowhere.dp --json
