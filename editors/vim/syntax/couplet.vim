" Syntax of Couplet (.dp). The words are those of `couplet lsp --words`; tests/scripts/grammar.sh compares.
if exists("b:current_syntax")
  finish
endif
syntax iskeyword @,48-57,_,39

" words that are never names
syntax keyword coupletDeclaration axiom include lemma let libm op oracle param procedure type var
" a match, since keywords would keep the regions below from beginning
syntax match coupletDeclaration /\<\%(adversary\|automaton\|claim\|instance\|mechanism\|proof\)\>/
syntax keyword coupletStatement break continue emit for return skip while
syntax keyword coupletConditional else if in then
syntax keyword coupletWordOperator and div exists forall mod not or
syntax keyword coupletBoolean false true

" words of one place
syntax keyword coupletClause contained accurate adjacent all at delta emits epsilon failure gaussian most private public renyi requires returns samples under uses zcdp
syntax keyword coupletAutomatonWord contained assign d final independent input insample mean noise noninput output prime shared start state when
syntax match coupletAutomatonWord contained /\<insample'/
syntax keyword coupletKnown contained differs output result returned
syntax keyword coupletInstanceWord contained input state

" what is always there
syntax keyword coupletType bool float float32 int list option real
syntax keyword coupletFunction ln exp sqrt floor ceil round abs min max length head tail declassify stops_odd
syntax match coupletFunction /\<\%(real\|to_float\|to_float32\|to_real\|fma\|sin\|cos\|log1p\|expm1\|some\|is_some\|value\|sum\|argmax\|argmin\|sort\)\ze\s*(/
syntax keyword coupletAdjacency within all_within one_differs one_changes add_remove all_increase all_decrease monotone same same_except differing
syntax keyword coupletDistribution Lap DLap Exp Geom Uniform UniformInt Bernoulli Gauss DGauss Gumbel Categorical Uniform53 Uniform24 Word64
" behind `within` and `same` above: inside proofs these win
syntax keyword coupletProofWord contained above admit advanced aim alone apart at back backward below block both branch budget by case cost counted dead delta deltas draws each epsilon eta exponential failure flatten flip frame from fuse gaussian ghost gives have hits inside interval invariant joined keep law loop majorized map meet most move noise null of omega only otherwise outcomes part podium pointwise pure rank renyi restarts run same sample save scale shift sigma slide split subsample subset swap termwise to together total unroll until upto variant when where within zcdp

syntax match coupletNumber /\<\d\+\(\.\d\+\)\?\([eE][+-]\?\d\+\)\?/
syntax match coupletOperator /<->\|<\$\|:=\|->\|<=\|>=\|!=\|++\|::\|\.\.\|[-=<>+*/^?~≤≥≠∧∨¬→↔∀∃∈←×]/
syntax match coupletOperator /\%([A-Za-z0-9_')\]]\)\@1<=\.\d\+/
syntax match coupletRunTag /\%([A-Za-z0-9_')\]]\)\@1<=<[12]>/
syntax region coupletString start=/"/ end=/"\|$/ oneline
syntax keyword coupletTodo contained TODO FIXME NOTE
syntax match coupletComment "//.*$" contains=coupletTodo,@Spell
syntax match coupletDocComment "///\%(/\)\@!.*$" contains=@Spell
syntax region coupletComment start="/\*" end="\*/" contains=coupletTodo,@Spell

syntax cluster coupletExpression contains=coupletConditional,coupletWordOperator,coupletBoolean,coupletType,coupletFunction,coupletAdjacency,coupletDistribution,coupletNumber,coupletOperator,coupletRunTag,coupletString,coupletComment,coupletDocComment
syntax region coupletHead matchgroup=coupletDeclaration start=/\<\%(mechanism\|adversary\)\>/ matchgroup=NONE end=/;\|\ze{/ contains=coupletClause,@coupletExpression
syntax region coupletClaim matchgroup=coupletDeclaration start=/\<claim\>/ matchgroup=NONE end=/;\|\ze\<proof\>/ contains=coupletClause,coupletStatement,@coupletExpression
syntax region coupletProofBlock matchgroup=NONE start=/{/ end=/}/ contained transparent fold contains=coupletProofBlock,coupletProofWord,coupletKnown,@coupletExpression
syntax region coupletProof matchgroup=coupletDeclaration start=/\<proof\>\ze\_s*{/ matchgroup=NONE end=/}\@1<=/ contains=coupletProofBlock
syntax region coupletAutomatonBlock matchgroup=NONE start=/{/ end=/}/ contained transparent fold contains=coupletAutomatonWord,coupletDeclaration,@coupletExpression
syntax region coupletAutomaton matchgroup=coupletDeclaration start=/\<automaton\>\ze\_s\+\k\+\_s*{/ matchgroup=NONE end=/}\@1<=/ contains=coupletAutomatonBlock,coupletComment
syntax region coupletInstanceBlock matchgroup=NONE start=/{/ end=/}/ contained transparent fold contains=coupletInstanceBlock,coupletInstanceWord,coupletDeclaration,coupletStatement,@coupletExpression
syntax region coupletInstance matchgroup=coupletDeclaration start=/\<instance\>\ze\_s\+\k\+\_s*{/ matchgroup=NONE end=/}\@1<=/ contains=coupletInstanceBlock,coupletComment
syntax sync fromstart

highlight default link coupletDeclaration Keyword
highlight default link coupletStatement Statement
highlight default link coupletConditional Conditional
highlight default link coupletWordOperator Operator
highlight default link coupletBoolean Boolean
highlight default link coupletClause Keyword
highlight default link coupletAutomatonWord Keyword
highlight default link coupletProofWord Keyword
highlight default link coupletInstanceWord Keyword
highlight default link coupletKnown Identifier
highlight default link coupletType Type
highlight default link coupletFunction Function
highlight default link coupletAdjacency Function
highlight default link coupletDistribution Structure
highlight default link coupletNumber Number
highlight default link coupletOperator Operator
highlight default link coupletRunTag Special
highlight default link coupletString String
highlight default link coupletComment Comment
highlight default link coupletDocComment SpecialComment
highlight default link coupletTodo Todo

let b:current_syntax = "couplet"
