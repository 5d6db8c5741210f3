prob {file} --name svt --eps 1 --path threshold->query,query->query,query->done --inputs 0,1
