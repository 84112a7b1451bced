"""Ask people from a program, and wait durably for the answer.

    import standfast

    approval = standfast.approve("pay", {"amount": 4210, "to": "Miller Ltd"}, id="invoice-7")
    if approval:
        pay(**approval.args)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from ._client import AsyncPending, AsyncStandfast, Pending, Standfast
from ._decorator import requires_approval
from ._question import Answer, Approval, ApproveOptions, AskOptions, File, Link
from .errors import (
    NotAnswered,
    NotApproved,
    QuestionCancelled,
    QuestionExpired,
    QuestionRefused,
    RequestRefused,
    StandfastError,
    StandfastUnreachable,
    StillWaiting,
    WrongAddress,
)
from .memory import FileMemory, Memory

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Answer",
    "Approval",
    "ApproveOptions",
    "AskOptions",
    "AsyncPending",
    "AsyncStandfast",
    "File",
    "FileMemory",
    "Link",
    "Memory",
    "NotAnswered",
    "NotApproved",
    "Pending",
    "QuestionCancelled",
    "QuestionExpired",
    "QuestionRefused",
    "RequestRefused",
    "Standfast",
    "StandfastError",
    "StandfastUnreachable",
    "StillWaiting",
    "WrongAddress",
    "approve",
    "ask",
    "requires_approval",
    "wait",
]

M = TypeVar("M")


@cache
def _client() -> Standfast:
    return Standfast()


@overload
def ask(message: str, *, schema: type[M], timeout: float | None = None, **options: Unpack[AskOptions]) -> M: ...
@overload
def ask(
    message: str, *, schema: Mapping[str, Any] | None = None, timeout: float | None = None, **options: Unpack[AskOptions]
) -> Answer: ...
def ask(
    message: str,
    *,
    schema: Mapping[str, Any] | type[M] | None = None,
    timeout: float | None = None,
    **options: Unpack[AskOptions],
) -> M | Answer:
    """``Standfast.ask`` with the address and key of the environment."""
    # Safe: the overloads of the method say the same of either.
    return _client().ask(message, schema=cast("type[M]", schema), timeout=timeout, **options)


def approve(
    tool: str | Callable[..., Any],
    args: Mapping[str, Any] | None = None,
    *,
    timeout: float | None = None,
    **options: Unpack[ApproveOptions],
) -> Approval:
    """``Standfast.approve`` with the address and key of the environment."""
    return _client().approve(tool, args, timeout=timeout, **options)


def wait(id: str, *, timeout: float | None = None) -> Answer | Approval:
    """``Standfast.wait`` with the address and key of the environment."""
    return _client().wait(id, timeout=timeout)
