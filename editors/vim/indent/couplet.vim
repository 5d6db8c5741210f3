" Two spaces per open bracket; a line that begins with a closing one goes back.
if exists("b:did_indent")
  finish
endif
let b:did_indent = 1
setlocal indentexpr=CoupletIndent() indentkeys=0{,0},0),0],!^F,o,O,e
let b:undo_indent = "setlocal indentexpr< indentkeys<"

if exists("*CoupletIndent")
  finish
endif

" Brackets that the line opens and does not close, comments and strings left out.
function! s:Opened(line)
  let text = substitute(a:line, '//.*$\|"[^"]*"\|/\*.\{-}\*/', '', 'g')
  return len(substitute(text, '[^{([]', '', 'g')) - len(substitute(text, '[^})\]]', '', 'g'))
endfunction

function! CoupletIndent()
  let previous = prevnonblank(v:lnum - 1)
  if previous == 0
    return 0
  endif
  let line = getline(previous)
  let opened = s:Opened(line)
  " the brackets that began the line before were counted for that line already
  if line =~ '^\s*[})\]]'
    let opened += 1
  endif
  let indent = indent(previous) + (opened > 0 ? shiftwidth() : opened < 0 ? opened * shiftwidth() : 0)
  " clauses between the head of a mechanism and its body
  if getline(v:lnum) =~ '^\s*\(adjacent\|requires\|emits\|returns\)\>' && line =~ '^mechanism\>'
    let indent = shiftwidth()
  elseif getline(v:lnum) =~ '^\s*{' && line =~ '^\s*\(adjacent\|requires\|emits\|returns\|mechanism\)\>'
    let indent = 0
  endif
  if getline(v:lnum) =~ '^\s*[})\]]'
    let indent -= shiftwidth()
  endif
  return indent < 0 ? 0 : indent
endfunction
