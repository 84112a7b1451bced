"""Ask people from a program, and wait durably for the answer.

    import holdpoint

    approval = holdpoint.approve("pay", {"amount": 4210, "to": "Miller Ltd"}, id="invoice-7")
    if approval:
        pay(**approval.args)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from ._client import AsyncHoldpoint, Holdpoint
from ._flow import Answer, Approval
from .errors import (
    HoldpointError,
    HoldpointUnreachable,
    NotAnswered,
    QuestionCancelled,
    QuestionExpired,
    QuestionRefused,
    RequestRefused,
    StillWaiting,
)
from .memory import FileMemory, Memory

__all__ = [
    "Answer",
    "Approval",
    "AsyncHoldpoint",
    "FileMemory",
    "Holdpoint",
    "HoldpointError",
    "HoldpointUnreachable",
    "Memory",
    "NotAnswered",
    "QuestionCancelled",
    "QuestionExpired",
    "QuestionRefused",
    "RequestRefused",
    "StillWaiting",
    "approve",
    "ask",
]


@cache
def _client() -> Holdpoint:
    return Holdpoint()


def ask(message: str, **options: Any) -> Answer:
    """``Holdpoint.ask`` with the address and key of the environment."""
    return _client().ask(message, **options)


def approve(tool: str | Callable[..., Any], args: Mapping[str, Any] | None = None, **options: Any) -> Approval:
    """``Holdpoint.approve`` with the address and key of the environment."""
    return _client().approve(tool, args, **options)
