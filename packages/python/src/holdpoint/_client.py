"""The two clients: both send what the flows say, one waits in its thread and one in its event loop."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from ._flow import (
    Answer,
    Approval,
    Flow,
    Pause,
    Send,
    answer_flow,
    answer_of,
    approval_of,
    question_body,
    tool_body,
    withdraw_flow,
)

_CONNECT_S = 10.0
#: What a request may take beyond the wait that it asks for.
_SPARE_S = 30.0


class _Settings:
    def __init__(self, url: str | None, api_key: str | None, policy: str | None, outage: float) -> None:
        base = url or os.environ.get("HOLDPOINT_URL") or "http://127.0.0.1:8600"
        self._url = base.rstrip("/") + "/api/ask"
        key = api_key or os.environ.get("HOLDPOINT_API_KEY")
        self._headers = {} if key is None else {"authorization": f"Bearer {key}"}
        self._policy = policy
        self._outage = outage

    def _request(self, send: Send) -> dict[str, Any]:
        timeout = httpx.Timeout(send.wait + _SPARE_S, connect=_CONNECT_S)
        given = {"method": send.method, "url": self._url, "headers": self._headers, "timeout": timeout}
        return {**given, "params": send.params, "json": send.json}

    def _ask_flow(self, body: Mapping[str, Any], timeout: float | None) -> Flow:
        return answer_flow(body, timeout=timeout, outage=self._outage)


class Holdpoint(_Settings):
    """Asks people and waits for their answer.

    ``url`` and ``api_key`` default to ``HOLDPOINT_URL`` and ``HOLDPOINT_API_KEY``; ``policy`` is that of questions which
    name none; ``outage`` is how many seconds Holdpoint may not answer before ``HoldpointUnreachable``.
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        policy: str | None = None,
        outage: float = 600.0,
        http: httpx.Client | None = None,
    ) -> None:
        super().__init__(url, api_key, policy, outage)
        self._http = http or httpx.Client()

    def __enter__(self) -> Holdpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes its connections."""
        self._http.close()

    def ask(
        self,
        message: str,
        *,
        id: str | None = None,
        title: str | None = None,
        schema: Mapping[str, Any] | None = None,
        defaults: Mapping[str, Any] | None = None,
        policy: str | None = None,
        timeout: float | None = None,
        callback: str | None = None,
    ) -> Answer:
        """Asks a question and waits for its answer, without ``timeout`` as long as its policy says.

        The same ``id`` again, from a new process too, waits for the same answer. Raises ``QuestionRefused``,
        ``QuestionExpired``, ``QuestionCancelled``, ``StillWaiting``, ``RequestRefused`` and ``HoldpointUnreachable``.
        """
        named = {"id": id, "policy": policy or self._policy, "callback": callback}
        body = question_body(message, title=title, schema=schema, defaults=defaults, **named)
        return answer_of(self._drive(self._ask_flow(body, timeout)))

    def approve(
        self,
        tool: str | Callable[..., Any],
        args: Mapping[str, Any] | None = None,
        *,
        id: str | None = None,
        title: str | None = None,
        why: str | None = None,
        editable: bool = False,
        policy: str | None = None,
        timeout: float | None = None,
        callback: str | None = None,
    ) -> Approval:
        """Asks whether ``tool`` may be called with ``args``; a no is an ``Approval`` that is false.

        Call the tool with the ``args`` of the approval. Raises as ``ask``, but for ``QuestionRefused``.
        """
        named = {"id": id, "policy": policy or self._policy, "callback": callback}
        body = tool_body(tool, args, title=title, why=why, editable=editable, **named)
        return approval_of(self._drive(self._ask_flow(body, timeout)))

    def withdraw(self, id: str) -> None:
        """People are not asked any longer; a question that was answered stays answered."""
        self._drive(withdraw_flow(id, outage=self._outage))

    def _drive(self, flow: Flow) -> dict[str, Any]:
        got: Any = None
        while True:
            try:
                step = flow.send(got)
            except StopIteration as end:
                return end.value
            if isinstance(step, Pause):
                time.sleep(step.seconds)
                got = None
                continue
            try:
                got = self._http.request(**self._request(step))
            except httpx.TransportError as error:
                got = error


class AsyncHoldpoint(_Settings):
    """As ``Holdpoint``, for ``asyncio``."""

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        policy: str | None = None,
        outage: float = 600.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(url, api_key, policy, outage)
        self._http = http or httpx.AsyncClient()

    async def __aenter__(self) -> AsyncHoldpoint:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes its connections."""
        await self._http.aclose()

    async def ask(
        self,
        message: str,
        *,
        id: str | None = None,
        title: str | None = None,
        schema: Mapping[str, Any] | None = None,
        defaults: Mapping[str, Any] | None = None,
        policy: str | None = None,
        timeout: float | None = None,
        callback: str | None = None,
    ) -> Answer:
        """As ``Holdpoint.ask``."""
        named = {"id": id, "policy": policy or self._policy, "callback": callback}
        body = question_body(message, title=title, schema=schema, defaults=defaults, **named)
        return answer_of(await self._drive(self._ask_flow(body, timeout)))

    async def approve(
        self,
        tool: str | Callable[..., Any],
        args: Mapping[str, Any] | None = None,
        *,
        id: str | None = None,
        title: str | None = None,
        why: str | None = None,
        editable: bool = False,
        policy: str | None = None,
        timeout: float | None = None,
        callback: str | None = None,
    ) -> Approval:
        """As ``Holdpoint.approve``."""
        named = {"id": id, "policy": policy or self._policy, "callback": callback}
        body = tool_body(tool, args, title=title, why=why, editable=editable, **named)
        return approval_of(await self._drive(self._ask_flow(body, timeout)))

    async def withdraw(self, id: str) -> None:
        """As ``Holdpoint.withdraw``."""
        await self._drive(withdraw_flow(id, outage=self._outage))

    async def _drive(self, flow: Flow) -> dict[str, Any]:
        got: Any = None
        while True:
            try:
                step = flow.send(got)
            except StopIteration as end:
                return end.value
            if isinstance(step, Pause):
                await asyncio.sleep(step.seconds)
                got = None
                continue
            try:
                got = await self._http.request(**self._request(step))
            except httpx.TransportError as error:
                got = error
