prob --param eps=1 --output '[begin, above]' {file}
