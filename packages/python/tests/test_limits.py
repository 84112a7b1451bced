"""Time limits: each call ends within its own, whatever Standfast does meanwhile."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import standfast
from standfast import AsyncStandfast, Standfast
from stub_server import stub_server

#: How much later than its limit a call may end on a busy machine.
LATE_S = 3.0


@contextmanager
def silent_server() -> Iterator[str]:
    """Takes connections, and answers nothing."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(50)
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@contextmanager
def trickling_server() -> Iterator[str]:
    """Begins each answer, and sends a byte of it from time to time, without an end."""
    stopped = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.end_headers()
            while not stopped.wait(0.1):
                try:
                    self.wfile.write(b" ")
                    self.wfile.flush()
                except OSError:
                    return

        do_GET = do_POST

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        stopped.set()
        server.shutdown()
        server.server_close()


def closed_port() -> str:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{server.getsockname()[1]}"


def took(call: Callable[[], object]) -> float:
    begun = time.monotonic()
    with pytest.raises(standfast.StandfastError):
        call()
    return time.monotonic() - begun


async def ask_async(url: str, timeout: float) -> None:
    async with AsyncStandfast(url) as client:
        await client.ask("q", id="x", timeout=timeout)


# Promise OT11
def test_a_timeout_holds_while_standfast_is_away_or_silent() -> None:
    with silent_server() as silent:
        for url in (closed_port(), silent):
            calls: list[Callable[[], object]] = [
                lambda url=url: Standfast(url).ask("q", id="x", timeout=1.0),
                lambda url=url: Standfast(url).approve("pay", id="x", timeout=1.0),
                lambda url=url: Standfast(url).wait("x", timeout=1.0),
                lambda url=url: Standfast(url).withdraw("x", timeout=1.0),
                lambda url=url: asyncio.run(ask_async(url, 1.0)),
            ]
            for call in calls:
                assert 0.5 < took(call) < 1.0 + LATE_S


# Promise OT11
def test_a_timeout_holds_where_an_answer_never_ends() -> None:
    with trickling_server() as url:
        calls: list[Callable[[], object]] = [
            lambda: Standfast(url).ask("q", id="x", timeout=1.0),
            lambda: Standfast(url).wait("x", timeout=1.0),
            lambda: asyncio.run(ask_async(url, 1.0)),
        ]
        for call in calls:
            assert took(call) < 1.0 + LATE_S


# Promise OT11
def test_the_end_of_a_time_limit_says_whether_the_question_was_asked() -> None:
    with pytest.raises(standfast.StandfastUnreachable) as raised:
        Standfast(closed_port()).ask("q", id="x", timeout=0.5)
    assert (raised.value.asked, raised.value.id) == (False, "x")
    with stub_server() as stub:
        stub.replies = [(202, {"status": "waiting"}), *[(503, {})] * 50]
        with pytest.raises(standfast.StandfastUnreachable) as later:
            Standfast(stub.url).ask("q", id="x", timeout=0.7)
        assert later.value.asked is True


# Promise OT11
def test_an_address_that_can_never_answer_is_refused_at_once() -> None:
    for url in ("127.0.0.1:8600", "localhost", "ftp://127.0.0.1", "http://"):
        with pytest.raises(standfast.WrongAddress):
            Standfast(url)
        with pytest.raises(standfast.WrongAddress):
            AsyncStandfast(url)
    with stub_server() as stub:
        url = stub.url.replace("http:", "https:")
        begun = time.monotonic()
        with pytest.raises(standfast.WrongAddress, match="TLS"):
            Standfast(url).ask("q")
        with pytest.raises(standfast.WrongAddress, match="TLS"):
            asyncio.run(ask_async(url, 30.0))
        assert time.monotonic() - begun < LATE_S


# Promise OT11
def test_the_first_failure_of_an_outage_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "standfast"), pytest.raises(standfast.StandfastUnreachable):
        Standfast(away := closed_port()).ask("q", timeout=1.2)
    lines = [record.getMessage() for record in caplog.records if record.name == "standfast"]
    assert len(lines) == 1 and f"does not answer at {away} (" in lines[0]


def test_an_outage_ends_a_wait_without_a_time_limit() -> None:
    client = Standfast(closed_port(), outage=0.5)
    assert took(lambda: client.ask("q")) < 0.5 + LATE_S
