"""How a question is asked and waited for, without any input or output: the clients send what this yields."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx

from .errors import (
    HoldpointUnreachable,
    QuestionCancelled,
    QuestionExpired,
    QuestionRefused,
    RequestRefused,
    StillWaiting,
)

#: Seconds that one request waits; proxies between often cut longer ones.
WAIT_S = 50.0
_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 10.0
_AGAIN = {429, 502, 503, 504}


@dataclass(frozen=True)
class Send:
    """One request; answered with the response, or with the error of the transport."""

    method: str
    params: Mapping[str, Any] | None = None
    json: Mapping[str, Any] | None = None
    wait: float = 0.0


@dataclass(frozen=True)
class Pause:
    """Wait for so many seconds."""

    seconds: float


Step = Send | Pause
Flow = Generator[Step, "httpx.Response | httpx.TransportError | None", dict[str, Any]]


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
    #: Signed proof (JWS), where the policy gives one; ``holdpoint.receipt`` verifies it.
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
    args: dict[str, Any] = field(default_factory=dict)
    reason: str | None = None
    assumed: bool = False
    #: As that of an answer.
    receipt: str | None = None

    def __bool__(self) -> bool:
        return self.approved


def question_body(
    message: str,
    *,
    id: str | None,
    title: str | None,
    schema: Mapping[str, Any] | None,
    defaults: Mapping[str, Any] | None,
    policy: str | None,
    callback: str | None,
) -> dict[str, Any]:
    """The body of a question; a missing ``id`` is made up."""
    given = {"title": title, "message": message, "schema": schema, "defaults": defaults}
    return _body(given, id, policy, callback)


def tool_body(
    tool: str | Callable[..., Any],
    args: Mapping[str, Any] | None,
    *,
    id: str | None,
    title: str | None,
    why: str | None,
    editable: bool,
    policy: str | None,
    callback: str | None,
) -> dict[str, Any]:
    """The body of a tool call to approve; a function is named by its ``__name__``."""
    name = tool if isinstance(tool, str) else tool.__name__
    call = {"name": name, "args": dict(args or {}), "editable": editable}
    return _body({"title": title, "message": why, "tool": call}, id, policy, callback)


def _body(given: dict[str, Any], id: str | None, policy: str | None, callback: str | None) -> dict[str, Any]:
    rest = {"policy": policy, "callback": None if callback is None else {"url": callback}}
    return {"id": id or str(uuid4()), **{name: value for name, value in {**given, **rest}.items() if value is not None}}


def answer_flow(body: Mapping[str, Any], *, timeout: float | None, outage: float) -> Flow:
    """Asks once and waits for the end; through restarts of Holdpoint as long as each outage is shorter than ``outage``."""
    id = str(body["id"])
    ends = None if timeout is None else time.monotonic() + timeout
    is_asked = False
    while True:
        left = WAIT_S if ends is None else max(min(WAIT_S, ends - time.monotonic()), 0.0)
        wait = round(left, 1)
        if is_asked:
            request = Send("GET", params={"id": id, "wait": wait}, wait=wait)
        else:
            request = Send("POST", json={**body, "wait": wait}, wait=wait)
        reply = yield from _reply(request, outage)
        is_asked = True
        if reply["status"] != "waiting":
            return reply
        if ends is not None and time.monotonic() >= ends:
            raise StillWaiting(f"the question {id} is open still: {reply.get('link')}", id)


def withdraw_flow(id: str, *, outage: float) -> Flow:
    """Withdraws an open question; one that was answered stays answered."""
    return (yield from _reply(Send("DELETE", params={"id": id}), outage))


def _reply(request: Send, outage: float) -> Flow:
    since: float | None = None
    pause = _FIRST_PAUSE_S
    while True:
        got = yield request
        if isinstance(got, httpx.Response) and got.status_code not in _AGAIN:
            return _read(got)
        now = time.monotonic()
        since = now if since is None else since
        if now - since >= outage:
            why = f"HTTP {got.status_code}" if isinstance(got, httpx.Response) else repr(got)
            raise HoldpointUnreachable(f"Holdpoint did not answer for {outage:.0f} s: {why}")
        yield Pause(max(_retry_after(got), pause * random.uniform(0.5, 1)))
        pause = min(pause * 2, _LONGEST_PAUSE_S)


def _retry_after(got: object) -> float:
    text = got.headers.get("retry-after", "") if isinstance(got, httpx.Response) else ""
    return min(float(text), _LONGEST_PAUSE_S) if text.isdigit() else 0.0


def _read(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        body = {}
    problem = body if isinstance(body, dict) else {}
    if response.is_success and "status" in problem:
        return problem
    detail = problem.get("detail") or problem.get("title") or response.text[:300] or "no words"
    raise RequestRefused(response.status_code, str(problem.get("code", "unknown")), str(detail))


def answer_of(reply: Mapping[str, Any]) -> Answer:
    """The answer; raises what there is in its place."""
    _raise_without_answer(reply)
    if reply["status"] == "declined":
        raise QuestionRefused(reply["id"], reply["by"], reply["reason"])
    given = (reply["id"], reply["holdId"], reply["values"], reply["by"], reply["reason"], reply["assumed"])
    return Answer(*given, reply.get("receipt"))


def approval_of(reply: Mapping[str, Any]) -> Approval:
    """A yes or a no of a person; raises where there is neither."""
    _raise_without_answer(reply)
    approved = reply["approved"] is True
    common = {"id": reply["id"], "hold_id": reply["holdId"], "by": reply["by"], "assumed": reply["assumed"]}
    common["receipt"] = reply.get("receipt")
    return Approval(approved=approved, args=(reply["args"] or {}) if approved else {}, reason=reply["reason"], **common)


def _raise_without_answer(reply: Mapping[str, Any]) -> None:
    id, status = reply["id"], reply["status"]
    if status == "expired":
        raise QuestionExpired(f"no answer to the question {id} came in time", id)
    if status in ("cancelled", "withdrawn"):
        raise QuestionCancelled(f"the question {id} was {status}", id)
