fmt other.dipa no_such_file.dp
