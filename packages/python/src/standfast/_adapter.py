"""What the adapters of frameworks share: the calls of one pause, each asked about under an id of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ._client import AsyncStandfast
from .errors import QuestionCancelled, QuestionExpired


@dataclass(frozen=True)
class Call:
    """A tool call that its framework holds until a person approves it."""

    id: str
    name: str
    args: Mapping[str, Any]


@dataclass(frozen=True)
class Verdict:
    """What becomes of a call; without a yes it is not executed, and the model reads why."""

    approved: bool
    why_not: str = ""
    args: dict[str, Any] = field(default_factory=dict[str, Any])


def question_id(run_id: str, call_id: str) -> str:
    """The question's own id; of one that is too long the middle is left out, so that calls of one run differ."""
    id = f"{run_id}:{call_id}"
    return id if len(id) <= 120 else id[:60] + id[-60:]


def args_of(given: object) -> dict[str, Any]:
    """Arguments as models give them: an object, or the text of one; anything else under one name, so that people see it."""
    if isinstance(given, str):
        try:
            given = json.loads(given or "{}")
        except ValueError:
            return {"arguments": given}
    return dict(cast("Mapping[str, Any]", given)) if isinstance(given, Mapping) else {"arguments": given}


async def verdicts(
    client: AsyncStandfast,
    calls: Iterable[Call],
    *,
    run_id: str,
    policy: str | None = None,
    editable: bool = False,
) -> dict[str, Verdict]:
    """Asks about all calls at a time and waits for all, by call id; a run that starts again finds the same questions."""
    asked = list(calls)

    async def verdict(call: Call) -> Verdict:
        try:
            id = question_id(run_id, call.id)
            approval = await client.approve(call.name, call.args, editable=editable, id=id, policy=policy)
        except (QuestionExpired, QuestionCancelled) as error:
            return Verdict(False, str(error))
        if approval:
            return Verdict(True, args=approval.args)
        return Verdict(False, f"{approval.by} did not approve this call" + _because(approval.reason))

    found = await asyncio.gather(*(verdict(call) for call in asked))
    return {call.id: one for call, one in zip(asked, found, strict=True)}


def _because(reason: str | None) -> str:
    return f": {reason}" if reason else ""
