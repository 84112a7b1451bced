"""A server with the three requests of ``/api/ask``, whose answers and faults a test chooses."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

OPEN = {"values": None, "approved": None, "args": None, "by": None, "reason": None, "assumed": False}


class Stub:
    """``replies``: what is answered next, as ``(status, fields)``; a status of 0 closes the connection."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.replies: list[tuple[int, dict[str, Any]]] = []
        self.decide: Callable[[dict[str, Any]], dict[str, Any]] | None = None
        self.questions: dict[str, dict[str, Any]] = {}

    def answer(self, method: str, given: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.requests.append((method, given))
        if method == "POST":
            self.questions.setdefault(given["id"], given)
        status, fields = self.replies.pop(0) if self.replies else (200, {"status": "answered", "by": "ana", "values": {}})
        if self.decide is not None and status == 200:
            fields = self.decide(self.questions[given["id"]])
        if status >= 400 or status == 0:
            return status, fields
        return status, {"id": given["id"], "holdId": "h-1", "link": "http://h/holds/h-1", **OPEN, **fields}


@contextmanager
def stub_server() -> Iterator[Stub]:
    stub = Stub()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
            length = int(self.headers.get("content-length") or 0)
            given = json.loads(self.rfile.read(length)) if length else query
            status, fields = stub.answer(self.command, {**given, "key": self.headers.get("authorization")})
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
