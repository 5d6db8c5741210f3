prob block.dp --name svd --eps 1 --output begin
