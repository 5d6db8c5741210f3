from os import PathLike
from typing import Any, Callable, Dict, List, Optional, Sequence, TypeVar, Union

from ._library import Claim as Claim, CoupletError as CoupletError, Result as Result
from .checking import FunctionVerdict as FunctionVerdict, Judgement as Judgement
from .translate import TranslationError as TranslationError

_F = TypeVar("_F", bound=Callable[..., Any])
_T = TypeVar("_T")
_Path = Union[str, "PathLike[str]"]
_Cost = Union[str, int, float]

def private(*, adjacent: str, epsilon: Optional[_Cost] = ..., delta: Optional[_Cost] = ..., zcdp: Optional[_Cost] = ...,
            gaussian: Optional[_Cost] = ..., renyi: Optional[_Cost] = ..., requires: Union[str, Sequence[str]] = ...,
            types: Optional[Dict[str, str]] = ..., fixed: Optional[Dict[str, Union[bool, int, float]]] = ..., private: Union[str, Sequence[str]] = ...,
            name: Optional[str] = ...) -> Callable[[_F], _F]: ...
def declassify(value: _T) -> _T: ...
def check(function: Union[Callable[..., Any], _Path], *, allow_unknown: bool = ..., timeout: float = ...,
          search: float = ..., adjacent: str = ..., epsilon: _Cost = ..., delta: _Cost = ..., zcdp: _Cost = ...,
          gaussian: _Cost = ..., renyi: _Cost = ..., requires: Union[str, Sequence[str]] = ..., types: Dict[str, str] = ...,
          fixed: Dict[str, Union[bool, int, float]] = ..., private: Union[str, Sequence[str]] = ...) -> Judgement: ...
def judge(function: Union[Callable[..., Any], _Path], *, timeout: float = ..., search: float = ..., adjacent: str = ...,
          epsilon: _Cost = ..., delta: _Cost = ..., zcdp: _Cost = ..., gaussian: _Cost = ..., renyi: _Cost = ...,
          requires: Union[str, Sequence[str]] = ..., types: Dict[str, str] = ...,
          fixed: Dict[str, Union[bool, int, float]] = ..., private: Union[str, Sequence[str]] = ...) -> Judgement: ...
def translate_function(function: Callable[..., Any], **claim: Any) -> str: ...
def verify(path: _Path, timeout: float = ..., search: float = ..., explain: bool = ...) -> Result: ...
def verify_text(text: str, name: _Path = ..., timeout: float = ..., search: float = ..., explain: bool = ...) -> Result: ...
def check_certificate(certificate: _Path, source: _Path, timeout: float = ...) -> Result: ...
def version() -> str: ...
