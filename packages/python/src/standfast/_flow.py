"""How a question is put and waited for, without any input or output: the clients send what this yields."""

from __future__ import annotations

import random
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import httpx

from ._limits import Limit, Outage
from .errors import RequestRefused, StillWaiting

#: Seconds that one request waits; proxies between often cut longer ones.
WAIT_S = 50.0
_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 10.0
AGAIN = {429, 502, 503, 504}

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Send:
    """One request; answered with the response, or with the error of the transport."""

    method: str
    path: str
    timeout: httpx.Timeout
    params: Mapping[str, str | float] | None = None
    json: Json | None = None


@dataclass(frozen=True)
class Pause:
    """Wait for so many seconds."""

    seconds: float


Step = Send | Pause
Flow = Generator[Step, "httpx.Response | httpx.TransportError | None", dict[str, Any]]


def put_flow(body: Json, limit: Limit, outage: float) -> Flow:
    """Puts the question, once however often it is sent: its id is in the body."""
    id = str(body["id"])
    return (yield from _reply("POST", "/api/ask", limit, outage, json={**body, "wait": 0}, id=id, asked=False))


def opened_flow(id: str, limit: Limit, outage: float) -> Flow:
    """The question's reply once it has its page, which takes moments."""
    while True:
        wait = min(WAIT_S, limit.left())
        body = {"ids": [id], "until": "opened", "wait": wait}
        found = yield from _reply("POST", "/api/ask/replies", limit, outage, json=body, id=id, wait=wait)
        if found["unknown"]:
            raise unknown(id)
        if found["items"]:
            return dict(found["items"][0])
        if limit.is_over():
            raise StillWaiting(f"the question {id} is kept, and is not open yet", id)


def ended_flow(id: str, limit: Limit, outage: float, link: str | None = None) -> Flow:
    """The question's reply once it has ended; through restarts of Standfast as long as each is shorter than ``outage``."""
    while True:
        wait = min(WAIT_S, max(limit.left() - 0.2, 0.0))
        reply = yield from _reply("GET", "/api/ask", limit, outage, params={"id": id, "wait": wait}, id=id, wait=wait)
        if reply["status"] != "waiting":
            return reply
        if limit.left() <= 0.2:
            raise still_waiting(id, reply.get("link") or link)


def withdraw_flow(id: str, limit: Limit, outage: float) -> Flow:
    """Withdraws an open question; one that was answered stays answered."""
    return (yield from _reply("DELETE", "/api/ask", limit, outage, params={"id": id}, id=id))


def _reply(
    method: str,
    path: str,
    limit: Limit,
    outage: float,
    *,
    id: str,
    asked: bool = True,
    wait: float = 0.0,
    params: Mapping[str, str | float] | None = None,
    json: Json | None = None,
) -> Flow:
    away = Outage(outage)
    pause = _FIRST_PAUSE_S
    while True:
        got = yield Send(method, path, limit.of_request(wait), params, json)
        if isinstance(got, httpx.Response) and got.status_code not in AGAIN:
            return read(got)
        assert got is not None
        if isinstance(got, httpx.TimeoutException) and asked and limit.is_over() and not away.is_on():
            raise still_waiting(id, None)
        away.failed(got, limit, id=id, asked=asked)
        yield Pause(min(max(retry_after(got), pause * random.uniform(0.5, 1)), limit.left(), away.left()))
        pause = min(pause * 2, _LONGEST_PAUSE_S)


def still_waiting(id: str, link: str | None) -> StillWaiting:
    return StillWaiting(f"the question {id} is open" + ("" if link is None else f": {link}"), id, link)


def of_same(asked: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """What came of the question that was asked; the answer to one that was asked in its place is none to it."""
    if found.get("version") == asked.get("version"):
        return found
    why = "another question was asked in its place, under the same id"
    return {**asked, "status": "withdrawn", "reason": why}


def unknown(id: str) -> RequestRefused:
    return RequestRefused(404, "not_found", f"nothing was asked under the id {id}; ask with the whole question")


def retry_after(got: object) -> float:
    text = got.headers.get("retry-after", "") if isinstance(got, httpx.Response) else ""
    return min(float(text), _LONGEST_PAUSE_S) if text.isdigit() else 0.0


def read(response: httpx.Response) -> dict[str, Any]:
    """The body of a success; raises what Standfast refused."""
    try:
        body = response.json()
    except ValueError:
        body = {}
    problem = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
    if response.is_success and ("status" in problem or "items" in problem):
        return problem
    detail = problem.get("detail") or problem.get("title") or response.text[:300] or "no words"
    raise RequestRefused(response.status_code, str(problem.get("code", "unknown")), str(detail))
