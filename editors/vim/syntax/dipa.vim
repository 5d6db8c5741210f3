" Syntax of threshold automata in the .dipa format.
if exists("b:current_syntax")
  finish
endif
syntax keyword dipaKeyword if then elseif else output goto true
syntax match dipaKeyword /\<non-input\>/
syntax keyword dipaSample insample insampleprime
syntax match dipaNumber /\<\d\+\(\.\d\+\)\?\>/
syntax match dipaOperator ":=\|<=\|>=\|&&\|[-<>/+*]"
syntax match dipaComment "#.*$\|//.*$"
syntax match dipaState /^\s*(\zs\k\+/
highlight default link dipaKeyword Keyword
highlight default link dipaSample Identifier
highlight default link dipaNumber Number
highlight default link dipaOperator Operator
highlight default link dipaComment Comment
highlight default link dipaState Function
let b:current_syntax = "dipa"
