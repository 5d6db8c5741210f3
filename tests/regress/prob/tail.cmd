prob block.dp --name other --eps 1/3 --output 2..,..-1 --inputs 1,1 --digits 20
