from collections.abc import Callable, Mapping
from typing import Any

def verify_receipt(
    jws: str,
    jwks: Mapping[str, Any],
    agent: str,
    once: Callable[[str, int], bool],
    tool: str | None = ...,
    args: Mapping[str, Any] | None = ...,
    answer: Mapping[str, Any] | None = ...,
    now: float | None = ...,
    **expected: Any,
) -> dict[str, Any]: ...
def once_in(directory: str) -> Callable[[str, int], bool]: ...
def canonical(value: object) -> str: ...
def hash_of(value: object) -> str: ...
