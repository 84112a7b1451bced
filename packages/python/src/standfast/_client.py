"""The two clients: both send what the flows yield, one waits in its thread and one in its event loop."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload
from urllib.parse import urlsplit

import httpx

from ._flow import Flow, Pause, Send, ended_flow, of_same, opened_flow, put_flow, still_waiting, withdraw_flow
from ._limits import Limit
from ._question import (
    Answer,
    Approval,
    ApproveOptions,
    AskOptions,
    answer_of,
    approval_of,
    either_of,
    question_body,
    tool_body,
)
from ._receive import receive, receive_async
from ._values import from_json, schema_of
from ._watch import Watch
from .errors import WrongAddress

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")
M = TypeVar("M")
Schema = Mapping[str, Any] | None
Read = Callable[[Mapping[str, Any]], T]

#: So many questions are put at a time; all others wait for their turn.
_PUT_AT_ONCE = 32


class _Settings:
    def __init__(self, url: str | None, api_key: str | None, policy: str | None, outage: float) -> None:
        base = url or os.environ.get("STANDFAST_URL") or "http://127.0.0.1:8600"
        parts = urlsplit(base)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise WrongAddress(f"{base!r} is no address of Standfast; expected one such as http://127.0.0.1:8600")
        self._url = base.rstrip("/")
        key = api_key or os.environ.get("STANDFAST_API_KEY")
        self._headers = {"authorization": f"Bearer {key}"} if key else {}
        self._policy = policy
        self._outage = outage

    def _request(self, send: Send) -> dict[str, Any]:
        given = {"method": send.method, "url": self._url + send.path, "headers": self._headers}
        return {**given, "timeout": send.timeout, "params": send.params, "json": send.json}

    def _question(self, message: str, schema: Schema | type[M], options: AskOptions) -> tuple[dict[str, Any], Read[Any]]:
        options["policy"] = options.get("policy") or self._policy
        if isinstance(schema, type):
            model = schema
            return question_body(message, schema_of(model), options), lambda reply: from_json(model, answer_of(reply).values)
        return question_body(message, schema, options), answer_of

    def _call(
        self, tool: str | Callable[..., Any], args: Mapping[str, Any] | None, options: ApproveOptions
    ) -> tuple[dict[str, Any], Read[Approval]]:
        options["policy"] = options.get("policy") or self._policy
        return tool_body(tool, args, options), lambda reply: approval_of(reply, tool, args)


@dataclass(frozen=True)
class Pending(Generic[T]):
    """A question that people are asked: its page and its end first, then its answer."""

    id: str
    hold_id: str
    #: None: it has ended already.
    link: str | None
    #: RFC 3339; None: it never expires.
    expires_at: str | None
    _wait: Callable[[float | None], T]

    def answer(self, timeout: float | None = None) -> T:
        """Waits for the answer, as ``ask`` or ``approve`` does."""
        return self._wait(timeout)


@dataclass(frozen=True)
class AsyncPending(Generic[T]):
    """As ``Pending``, for ``asyncio``."""

    id: str
    hold_id: str
    link: str | None
    expires_at: str | None
    _wait: Callable[[float | None], Awaitable[T]]

    async def answer(self, timeout: float | None = None) -> T:
        """As ``Pending.answer``."""
        return await self._wait(timeout)


class Standfast(_Settings):
    """Asks people and waits for their answer.

    ``url`` and ``api_key`` default to ``STANDFAST_URL`` and ``STANDFAST_API_KEY``; ``policy`` is that of questions which
    name none; ``outage`` is how many seconds Standfast may not answer before ``StandfastUnreachable``.
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
        # One connection for each thread that waits.
        self._http = http or httpx.Client(limits=httpx.Limits(max_connections=None, max_keepalive_connections=20))

    def __enter__(self) -> Standfast:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes its connections."""
        self._http.close()

    @overload
    def ask(self, message: str, *, schema: type[M], timeout: float | None = None, **options: Unpack[AskOptions]) -> M: ...
    @overload
    def ask(self, message: str, *, schema: Schema = None, timeout: float | None = None, **options: Unpack[AskOptions]) -> Answer: ...
    def ask(
        self, message: str, *, schema: Schema | type[M] = None, timeout: float | None = None, **options: Unpack[AskOptions]
    ) -> M | Answer:
        """Asks a question and waits for its answer, without ``timeout`` as long as its policy says.

        ``schema`` is a JSON Schema, or a dataclass or one of Pydantic's models, which the answer then is. The same ``id``
        again, from a new process too, waits for the same answer. ``timeout`` bounds the whole call; 0 puts the question
        alone. Raises ``QuestionRefused``, ``QuestionExpired``, ``QuestionCancelled``, ``StillWaiting``,
        ``RequestRefused``, ``WrongAddress`` and ``StandfastUnreachable``.
        """
        body, read = self._question(message, schema, options)
        return cast("M | Answer", read(self._ended(body, Limit(timeout))))

    def approve(
        self,
        tool: str | Callable[..., Any],
        args: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        **options: Unpack[ApproveOptions],
    ) -> Approval:
        """Asks whether ``tool`` may be called with ``args``; a no is an ``Approval`` that is false.

        Call the tool with the ``args`` of the approval. Raises as ``ask``, but for ``QuestionRefused``.
        """
        body, read = self._call(tool, args, options)
        return read(self._ended(body, Limit(timeout)))

    @overload
    def start_ask(self, message: str, *, schema: type[M], **options: Unpack[AskOptions]) -> Pending[M]: ...
    @overload
    def start_ask(self, message: str, *, schema: Schema = None, **options: Unpack[AskOptions]) -> Pending[Answer]: ...
    def start_ask(
        self, message: str, *, schema: Schema | type[M] = None, **options: Unpack[AskOptions]
    ) -> Pending[M] | Pending[Answer]:
        """Puts a question, and returns once people are asked: with its link, before its answer."""
        body, read = self._question(message, schema, options)
        return cast("Pending[M] | Pending[Answer]", self._pending(body, read))

    def start_approve(
        self, tool: str | Callable[..., Any], args: Mapping[str, Any] | None = None, **options: Unpack[ApproveOptions]
    ) -> Pending[Approval]:
        """As ``start_ask``, of a tool call."""
        body, read = self._call(tool, args, options)
        return self._pending(body, read)

    @overload
    def wait(self, id: str, *, schema: type[M], timeout: float | None = None) -> M: ...
    @overload
    def wait(self, id: str, *, schema: None = None, timeout: float | None = None) -> Answer | Approval: ...
    def wait(self, id: str, *, schema: type[M] | None = None, timeout: float | None = None) -> M | Answer | Approval:
        """The answer to what was asked under ``id``, by this program as it is now or as it was before."""
        reply = self._drive(ended_flow(id, Limit(timeout), self._outage))
        return either_of(reply) if schema is None else from_json(schema, answer_of(reply).values)

    def withdraw(self, id: str, *, timeout: float | None = None) -> None:
        """People are not asked any longer; a question that was answered stays answered."""
        self._drive(withdraw_flow(id, Limit(timeout), self._outage))

    def _ended(self, body: Mapping[str, Any], limit: Limit) -> dict[str, Any]:
        put = self._drive(put_flow(body, limit, self._outage))
        if put["status"] != "waiting":
            return put
        if limit.is_over():
            raise still_waiting(str(body["id"]), put["link"])
        return of_same(put, self._drive(ended_flow(str(body["id"]), limit, self._outage, put["link"])))

    def _pending(self, body: Mapping[str, Any], read: Read[T]) -> Pending[T]:
        id, limit = str(body["id"]), Limit()
        reply = self._drive(put_flow(body, limit, self._outage))
        if reply["holdId"] is None:
            reply = of_same(reply, self._drive(opened_flow(id, limit, self._outage)))

        def wait(timeout: float | None) -> T:
            if reply["status"] != "waiting":
                return read(reply)
            return read(of_same(reply, self._drive(ended_flow(id, Limit(timeout), self._outage, reply["link"]))))

        return Pending(id, reply["holdId"], reply["link"], reply["expiresAt"], wait)

    def _drive(self, flow: Flow) -> dict[str, Any]:
        got: httpx.Response | httpx.TransportError | None = None
        while True:
            try:
                step = flow.send(got)
            except StopIteration as end:
                return cast("dict[str, Any]", end.value)
            got = None
            if isinstance(step, Pause):
                time.sleep(step.seconds)
                continue
            try:
                got = receive(self._http, self._request(step))
            except httpx.TransportError as error:
                got = error


class AsyncStandfast(_Settings):
    """As ``Standfast``, for ``asyncio``; all that it waits for is followed by one connection."""

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
        self._http = http or httpx.AsyncClient(limits=httpx.Limits(max_connections=None, max_keepalive_connections=20))
        self._turns = asyncio.Semaphore(_PUT_AT_ONCE)
        self._watches: dict[str, list[Watch]] = {}

    async def __aenter__(self) -> AsyncStandfast:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes its connections."""
        for watches in self._watches.values():
            for watch in watches:
                await watch.close()
        await self._http.aclose()

    @overload
    async def ask(self, message: str, *, schema: type[M], timeout: float | None = None, **options: Unpack[AskOptions]) -> M: ...
    @overload
    async def ask(self, message: str, *, schema: Schema = None, timeout: float | None = None, **options: Unpack[AskOptions]) -> Answer: ...
    async def ask(
        self, message: str, *, schema: Schema | type[M] = None, timeout: float | None = None, **options: Unpack[AskOptions]
    ) -> M | Answer:
        """As ``Standfast.ask``."""
        body, read = self._question(message, schema, options)
        return cast("M | Answer", read(await self._ended(body, Limit(timeout))))

    async def approve(
        self,
        tool: str | Callable[..., Any],
        args: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        **options: Unpack[ApproveOptions],
    ) -> Approval:
        """As ``Standfast.approve``."""
        body, read = self._call(tool, args, options)
        return read(await self._ended(body, Limit(timeout)))

    @overload
    async def start_ask(self, message: str, *, schema: type[M], **options: Unpack[AskOptions]) -> AsyncPending[M]: ...
    @overload
    async def start_ask(self, message: str, *, schema: Schema = None, **options: Unpack[AskOptions]) -> AsyncPending[Answer]: ...
    async def start_ask(
        self, message: str, *, schema: Schema | type[M] = None, **options: Unpack[AskOptions]
    ) -> AsyncPending[M] | AsyncPending[Answer]:
        """As ``Standfast.start_ask``."""
        body, read = self._question(message, schema, options)
        return cast("AsyncPending[M] | AsyncPending[Answer]", await self._pending(body, read))

    async def start_approve(
        self, tool: str | Callable[..., Any], args: Mapping[str, Any] | None = None, **options: Unpack[ApproveOptions]
    ) -> AsyncPending[Approval]:
        """As ``Standfast.start_approve``."""
        body, read = self._call(tool, args, options)
        return await self._pending(body, read)

    @overload
    async def wait(self, id: str, *, schema: type[M], timeout: float | None = None) -> M: ...
    @overload
    async def wait(self, id: str, *, schema: None = None, timeout: float | None = None) -> Answer | Approval: ...
    async def wait(self, id: str, *, schema: type[M] | None = None, timeout: float | None = None) -> M | Answer | Approval:
        """As ``Standfast.wait``."""
        limit = Limit(timeout)
        once = limit.is_over()
        flow = ended_flow(id, limit, self._outage)
        reply = await (self._drive(flow) if once else self._followed(id, limit, None))
        return either_of(reply) if schema is None else from_json(schema, answer_of(reply).values)

    async def withdraw(self, id: str, *, timeout: float | None = None) -> None:
        """As ``Standfast.withdraw``."""
        await self._drive(withdraw_flow(id, Limit(timeout), self._outage))

    async def _ended(self, body: Mapping[str, Any], limit: Limit) -> dict[str, Any]:
        put = await self._put(body, limit)
        if put["status"] != "waiting":
            return put
        return of_same(put, await self._followed(str(body["id"]), limit, put["link"]))

    async def _pending(self, body: Mapping[str, Any], read: Read[T]) -> AsyncPending[T]:
        id = str(body["id"])
        reply = await self._put(body, Limit())
        if reply["holdId"] is None:
            opened = await self._watch("opened", id).wait(id, Limit())
            assert opened is not None
            reply = of_same(reply, opened)

        async def wait(timeout: float | None) -> T:
            if reply["status"] != "waiting":
                return read(reply)
            return read(of_same(reply, await self._followed(id, Limit(timeout), reply["link"])))

        return AsyncPending(id, reply["holdId"], reply["link"], reply["expiresAt"], wait)

    async def _put(self, body: Mapping[str, Any], limit: Limit) -> dict[str, Any]:
        async with self._turns:
            return await self._drive(put_flow(body, limit, self._outage))

    async def _followed(self, id: str, limit: Limit, link: str | None) -> dict[str, Any]:
        reply = None if limit.is_over() else await self._watch("ended", id).wait(id, limit)
        if reply is None:
            raise still_waiting(id, link)
        return reply

    def _watch(self, until: str, id: str) -> Watch:
        watches = self._watches.setdefault(until, [])
        for watch in watches:
            if not watch.is_full_for(id):
                return watch
        watches.append(Watch(self._send, until, self._outage))
        return watches[-1]

    async def _send(self, send: Send) -> httpx.Response:
        return await receive_async(self._http, self._request(send))

    async def _drive(self, flow: Flow) -> dict[str, Any]:
        got: httpx.Response | httpx.TransportError | None = None
        while True:
            try:
                step = flow.send(got)
            except StopIteration as end:
                return cast("dict[str, Any]", end.value)
            got = None
            if isinstance(step, Pause):
                await asyncio.sleep(step.seconds)
                continue
            try:
                got = await self._send(step)
            except httpx.TransportError as error:
                got = error
