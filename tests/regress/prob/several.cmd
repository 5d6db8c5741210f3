prob block.dp --eps 1 --output begin
