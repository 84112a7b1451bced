"""What is asked and what is answered: the bodies of questions, and answers read from replies."""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict
from uuid import uuid4

from ._values import args_as_given, to_json
from .errors import QuestionCancelled, QuestionExpired, QuestionRefused


@dataclass(frozen=True)
class Link:
    """A web address that people see with the question; its host is always shown."""

    url: str
    title: str | None = None


@dataclass(frozen=True)
class File:
    """A file that is shown with the question, and is part of what is approved."""

    name: str
    data: bytes
    media_type: str = "application/octet-stream"


class Options(TypedDict, total=False):
    """What every question takes."""

    #: Your own name for the question: the same again, in a new process too, waits for the same answer.
    id: str | None
    title: str | None
    #: Who is asked, by the name of a policy.
    policy: str | None
    #: An address that is sent one POST when the question has ended, or ``{"temporal": {"workflowId": …, "signal": …}}``.
    callback: str | Mapping[str, object] | None
    #: How risky it is, one line, shown as your words.
    risk: str | None
    #: Why it is asked, shown as your words.
    reasoning: str | None
    links: Sequence[Link | str]
    #: At most ten.
    files: Sequence[File]
    #: A deadline of its own, from its opening (``"4h"``): it then ends without an answer, never later than its policy says.
    expire_after: str | dt.timedelta | None
    #: Of an ``id`` that was used for another text: refuse, wait for the answer to that, or ask this in its place.
    if_changed: Literal["refuse", "wait", "replace"]


class AskOptions(Options, total=False):
    """What a question takes with its ``schema``."""

    #: What is proposed, by field; an instance of the schema will do.
    defaults: Mapping[str, object] | object | None


class ApproveOptions(Options, total=False):
    """What a tool call to be approved takes."""

    #: Why it is called, and what cannot be undone.
    why: str | None
    #: People may change the arguments.
    editable: bool


@dataclass(frozen=True)
class Answer:
    """What a person answered."""

    id: str
    hold_id: str
    #: By field of the schema; a question without one has ``text``.
    values: dict[str, Any]
    by: str
    reason: str | None = None
    #: True: no one answered in time, and the policy took the proposed answer.
    assumed: bool = False
    #: Signed proof (JWS), where the policy gives one; ``standfast.receipt`` verifies it.
    receipt: str | None = None

    @property
    def text(self) -> str:
        """The answer to a question without a schema."""
        return str(self.values.get("text", ""))


@dataclass(frozen=True)
class Approval:
    """Whether a tool may be called, and with which arguments."""

    id: str
    hold_id: str
    approved: bool
    by: str
    #: As people approved them; empty without an approval.
    args: dict[str, Any] = field(default_factory=dict[str, Any])
    reason: str | None = None
    assumed: bool = False
    #: As that of an answer.
    receipt: str | None = None

    def __bool__(self) -> bool:
        return self.approved


def question_body(message: str, schema: Mapping[str, Any] | None, options: AskOptions) -> dict[str, Any]:
    """The body of a question; a missing ``id`` is made up."""
    defaults = options.get("defaults")
    given = {"message": message, "schema": schema, "defaults": None if defaults is None else to_json(defaults)}
    return _body(given, options, AskOptions)


def tool_body(
    tool: str | Callable[..., Any], args: Mapping[str, Any] | None, options: ApproveOptions
) -> dict[str, Any]:
    """The body of a tool call to approve; a function is named by its ``__name__``."""
    call = {"name": name_of(tool), "args": to_json(dict(args or {})), "editable": options.get("editable", False)}
    return _body({"message": options.get("why"), "tool": call}, options, ApproveOptions)


def name_of(tool: str | Callable[..., Any]) -> str:
    return tool if isinstance(tool, str) else str(getattr(tool, "__name__", type(tool).__name__))


def _body(given: dict[str, Any], options: Options, known: type) -> dict[str, Any]:
    for name in options:
        if name not in known.__annotations__ and name not in Options.__annotations__:
            raise TypeError(f"got an unexpected keyword argument {name!r}")
    callback, links, files = options.get("callback"), options.get("links"), options.get("files")
    rest = {
        "title": options.get("title"),
        "policy": options.get("policy"),
        "callback": {"url": callback} if isinstance(callback, str) else callback,
        "risk": options.get("risk"),
        "reasoning": options.get("reasoning"),
        "links": None if links is None else [_link(one) for one in links],
        "files": None if files is None else [_file(one) for one in files],
        "expireAfter": _duration(options.get("expire_after")),
        "ifChanged": options.get("if_changed"),
    }
    body = {name: value for name, value in {**given, **rest}.items() if value is not None}
    return {"id": options.get("id") or str(uuid4()), **body}


def _link(link: Link | str) -> dict[str, str]:
    if isinstance(link, str):
        return {"url": link}
    return {"url": link.url, **({} if link.title is None else {"title": link.title})}


def _file(file: File) -> dict[str, str]:
    return {"name": file.name, "mediaType": file.media_type, "data": base64.b64encode(file.data).decode()}


def _duration(given: str | dt.timedelta | None) -> str | None:
    return f"{given.total_seconds():g}s" if isinstance(given, dt.timedelta) else given


def answer_of(reply: Mapping[str, Any]) -> Answer:
    """The answer; raises what there is in its place."""
    _raise_without_answer(reply)
    if reply["status"] == "declined":
        raise QuestionRefused(reply["id"], reply["by"], reply["reason"], reply.get("link"))
    given = (reply["id"], reply["holdId"], reply["values"], reply["by"], reply["reason"], reply["assumed"])
    return Answer(*given, reply.get("receipt"))


def approval_of(
    reply: Mapping[str, Any], tool: str | Callable[..., Any] = "", given: Mapping[str, Any] | None = None
) -> Approval:
    """A yes or a no of a person; raises where there is neither."""
    _raise_without_answer(reply)
    approved = reply["approved"] is True
    args = args_as_given(tool, given or {}, reply["args"] or {}) if approved else {}
    return Approval(
        id=reply["id"],
        hold_id=reply["holdId"],
        approved=approved,
        by=reply["by"],
        args=args,
        reason=reply["reason"],
        assumed=reply["assumed"],
        receipt=reply.get("receipt"),
    )


def either_of(reply: Mapping[str, Any]) -> Answer | Approval:
    """By what was asked: only a tool call's reply says whether it is approved."""
    is_call = reply.get("approved") is not None
    return approval_of(reply) if is_call else answer_of(reply)


def _raise_without_answer(reply: Mapping[str, Any]) -> None:
    id, status, link = reply["id"], reply["status"], reply.get("link")
    if status == "expired":
        raise QuestionExpired(f"no answer to the question {id} came in time", id, link)
    if status in ("cancelled", "withdrawn"):
        raise QuestionCancelled(f"the question {id} was {status}", id, link)
