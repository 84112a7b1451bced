"""Waits for any number of questions of one client by one connection, which follows all of their ids."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from ._flow import AGAIN, WAIT_S, Send, read, retry_after, unknown
from ._limits import Limit, Outage
from .errors import StandfastError

#: As many questions as one request follows; more are followed by further ones.
MOST = 2_000
#: Questions that are put one after the other join the connection together: the more it follows, the more join at a time.
_JOIN_S = 0.25
_JOIN_EACH_S = 0.001
_LONGEST_JOIN_S = 1.0
_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 10.0

Request = Callable[[Send], Awaitable[httpx.Response]]


class Watch:
    """Follows the questions that are waited for, as long as there are any."""

    def __init__(self, request: Request, until: str, outage: float) -> None:
        self._request = request
        self._until = until
        self._outage = outage
        self._waiting: dict[str, list[asyncio.Future[dict[str, Any]]]] = {}
        self._joined = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def is_full_for(self, id: str) -> bool:
        return len(self._waiting) >= MOST and id not in self._waiting

    async def wait(self, id: str, limit: Limit) -> dict[str, Any] | None:
        """The reply once the question is as far as this watch follows it; None at the end of the limit."""
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(id, []).append(future)
        self._joined.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._follow())
        left = limit.left()
        try:
            return await asyncio.wait_for(future, None if left == float("inf") else left)
        except asyncio.TimeoutError:
            return None
        finally:
            waiting = [one for one in self._waiting.get(id, []) if one is not future]
            if waiting:
                self._waiting[id] = waiting
            else:
                self._waiting.pop(id, None)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _follow(self) -> None:
        away = Outage(self._outage)
        pause = _FIRST_PAUSE_S
        while self._waiting:
            self._joined.clear()
            try:
                got = await self._first_news(list(self._waiting))
                if got is None:
                    continue
                if got.status_code in AGAIN:
                    away.failed(got, Limit(), id=None, asked=True)
                    await asyncio.sleep(max(retry_after(got), pause))
                    continue
                self._settle(read(got))
                away.over()
                pause = _FIRST_PAUSE_S
            except httpx.TransportError as error:
                try:
                    away.failed(error, Limit(), id=None, asked=True)
                except StandfastError as lasting:
                    self._fail(lasting)
                await asyncio.sleep(min(pause, away.left()))
                pause = min(pause * 2, _LONGEST_PAUSE_S)
            except StandfastError as refused:
                self._fail(refused)

    async def _first_news(self, ids: list[str]) -> httpx.Response | None:
        """The next answer about these questions; None once others have joined them."""
        body = {"ids": ids, "until": self._until, "wait": WAIT_S}
        timeout = Limit().of_request(WAIT_S)
        asking = asyncio.ensure_future(self._request(Send("POST", "/api/ask/replies", timeout, json=body)))
        joining = asyncio.ensure_future(self._joined.wait())
        try:
            await asyncio.wait({asking, joining}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                await asyncio.wait({asking}, timeout=min(_JOIN_S + _JOIN_EACH_S * len(ids), _LONGEST_JOIN_S))
            return asking.result() if asking.done() else None
        finally:
            for task in (asking, joining):
                task.cancel()
            await asyncio.gather(asking, joining, return_exceptions=True)

    def _settle(self, found: dict[str, Any]) -> None:
        for reply in found["items"]:
            for future in self._waiting.get(str(reply["id"]), []):
                if not future.done():
                    future.set_result(reply)
            self._waiting.pop(str(reply["id"]), None)
        for id in found["unknown"]:
            for future in self._waiting.pop(str(id), []):
                if not future.done():
                    future.set_exception(unknown(str(id)))

    def _fail(self, error: StandfastError) -> None:
        for futures in self._waiting.values():
            for future in futures:
                if not future.done():
                    future.set_exception(error)
        self._waiting.clear()
