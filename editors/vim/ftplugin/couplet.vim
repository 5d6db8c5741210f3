if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1
setlocal comments=s1:/*,mb:*,ex:*/,:///,:// commentstring=//\ %s
setlocal expandtab shiftwidth=2 softtabstop=2 textwidth=100
setlocal iskeyword=@,48-57,_,'
if executable("couplet")
  setlocal formatprg=couplet\ fmt\ -
endif
let b:undo_ftplugin = "setlocal comments< commentstring< expandtab< shiftwidth< softtabstop< textwidth< iskeyword< formatprg<"
