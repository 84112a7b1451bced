"""The Nexus service of Standfast's worker, for workflows on Temporal's Python SDK: names and types, and no code."""

from typing import Any, Literal, TypedDict

import nexusrpc


class Link(TypedDict, total=False):
    url: str
    title: str


class _Asked(TypedDict, total=False):
    #: Names the question within the asking workflow: the same again waits for the same answer.
    id: str
    title: str
    #: One that the configuration lets this caller name.
    policy: str
    #: How risky it is, in one line.
    risk: str
    #: Why it is asked, at length.
    reasoning: str
    links: list[Link]
    #: Its own deadline (``"30m"``).
    expireAfter: str


class _Message(TypedDict):
    #: What to decide, and what follows from each answer.
    message: str


class AskInput(_Message, _Asked, total=False):
    #: JSON Schema of the answer, type object; missing: a free text (``values["text"]``).
    schema: dict[str, Any]
    #: What is proposed, by field.
    defaults: dict[str, Any]


class _Tool(TypedDict):
    #: Name of the tool, or the step, to approve.
    tool: str


class ApproveInput(_Tool, _Asked, total=False):
    args: dict[str, Any]
    #: People may change the arguments: call with those of the answer.
    editable: bool
    #: Why it is called.
    why: str


class _Ended(TypedDict):
    id: str
    status: Literal["answered", "declined", "expired", "withdrawn", "cancelled", "waiting"]
    #: Which question under its id this is about, from 1.
    version: int
    holdId: str | None
    link: str | None
    expiresAt: str | None
    values: dict[str, Any] | None
    verdict: Literal["yes", "no", "answered"] | None
    #: True for a plain yes alone; None: no tool call was asked about.
    approved: bool | None
    args: dict[str, Any] | None
    by: str | None
    reason: str | None
    assumed: bool


class AskReply(_Ended, total=False):
    #: Signed proof (JWS), where the policy gives one.
    receipt: str


@nexusrpc.service(name="standfast")
class StandfastService:
    """For ``workflow.create_nexus_client(service=StandfastService, endpoint="standfast")``."""

    ask: nexusrpc.Operation[AskInput, AskReply]
    approve: nexusrpc.Operation[ApproveInput, AskReply]
