autocmd BufRead,BufNewFile *.dp setfiletype couplet
autocmd BufRead,BufNewFile *.dipa setfiletype dipa
