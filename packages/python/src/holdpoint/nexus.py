"""The Nexus service of Holdpoint's worker, for workflows on Temporal's Python SDK: names and types, and no code."""

from __future__ import annotations

from typing import Any, Literal, Optional, TypedDict

import nexusrpc


class _Asked(TypedDict, total=False):
    id: str
    title: str
    policy: str
    risk: str
    reasoning: str
    expireAfter: str


class AskInput(_Asked, total=False):
    """``message``, and ``schema`` (JSON Schema of the answer) or none for a free text."""

    message: str
    schema: dict[str, Any]
    defaults: dict[str, Any]


class ApproveInput(_Asked, total=False):
    """``tool`` and ``args``; with ``editable`` people may change the arguments."""

    tool: str
    args: dict[str, Any]
    editable: bool
    why: str


class AskReply(TypedDict, total=False):
    """What became of a question; ``approved`` is true for a plain yes alone."""

    id: str
    status: Literal["answered", "declined", "expired", "withdrawn", "cancelled", "waiting"]
    holdId: Optional[str]
    link: Optional[str]
    expiresAt: Optional[str]
    values: Optional[dict[str, Any]]
    verdict: Optional[Literal["yes", "no", "answered"]]
    approved: Optional[bool]
    args: Optional[dict[str, Any]]
    by: Optional[str]
    reason: Optional[str]
    assumed: bool
    receipt: str


@nexusrpc.service(name="holdpoint")
class HoldpointService:
    """For ``workflow.create_nexus_client(service=HoldpointService, endpoint="holdpoint")``."""

    ask: nexusrpc.Operation[AskInput, AskReply]
    approve: nexusrpc.Operation[ApproveInput, AskReply]
