"""A server with the four requests of ``/api/ask``, whose answers and faults a test chooses."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

OPEN = {"values": None, "approved": None, "args": None, "expiresAt": None, "by": None, "reason": None, "assumed": False}


class Stub:
    """``replies``: what is answered next, as ``(status, fields)``; a status of 0 closes the connection."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.replies: list[tuple[int, dict[str, Any]]] = []
        self.decide: Callable[[dict[str, Any]], dict[str, Any]] | None = None
        self.questions: dict[str, dict[str, Any]] = {}
        #: Nothing has an answer yet; a request that follows questions is answered without one.
        self.waits = False

    def answer(self, method: str, path: str, given: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        follows = path == "/api/ask/replies"
        self.requests.append(("FOLLOW" if follows else method, given))
        if method == "POST" and not follows:
            self.questions.setdefault(given["id"], given)
        if self.waits:
            if follows:
                time.sleep(0.05)
            return (200, {"items": [], "unknown": []}) if follows else (202, self._reply(given["id"], 202, {"status": "waiting"}))
        status, fields = self.replies.pop(0) if self.replies else (200, {"status": "answered", "by": "ana", "values": {}})
        if status >= 400 or status == 0:
            return status, fields
        if not follows:
            return status, self._reply(given["id"], status, fields)
        found = [self._reply(id, status, fields) for id in given["ids"] if id in self.questions]
        has_news = given["until"] == "opened" or status == 200
        return 200, {"items": found if has_news else [], "unknown": [id for id in given["ids"] if id not in self.questions]}

    def _reply(self, id: str, status: int, fields: dict[str, Any]) -> dict[str, Any]:
        if self.decide is not None and status == 200:
            fields = self.decide(self.questions[id])
        return {"id": id, "holdId": "h-1", "link": "http://h/holds/h-1", **OPEN, **fields}


@contextmanager
def stub_server() -> Iterator[Stub]:
    stub = Stub()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
            length = int(self.headers.get("content-length") or 0)
            given = json.loads(self.rfile.read(length)) if length else query
            status, fields = stub.answer(self.command, urlsplit(self.path).path, {**given, "key": self.headers.get("authorization")})
            if status == 0:
                self.close_connection = True
                self.connection.close()
                return
            body = json.dumps(fields).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_DELETE = _serve

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    stub.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
