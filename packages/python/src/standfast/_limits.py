"""One time limit for all steps of a wait: how long its caller waits, and how long Standfast may be away meanwhile."""

from __future__ import annotations

import logging
import math
import ssl
import time

import httpx

from .errors import StandfastUnreachable, WrongAddress

log = logging.getLogger("standfast")

#: What one request may take beyond the wait that it asks Standfast for.
SPARE_S = 30.0
CONNECT_S = 10.0
#: Without any time to wait the question itself is put: one request, of so many seconds.
_PUT_S = 10.0


class Limit:
    """Ends ``timeout`` seconds after it was made; ``None`` and no end."""

    def __init__(self, timeout: float | None = None) -> None:
        self._ends = math.inf if timeout is None else time.monotonic() + max(timeout, 0.0)
        self._puts_only = timeout is not None and timeout <= 0

    def left(self) -> float:
        return max(self._ends - time.monotonic(), 0.0)

    def is_over(self) -> bool:
        return self.left() <= 0

    def of_request(self, wait: float) -> httpx.Timeout:
        """Of a request that asks to wait so long; none lasts longer than what is left."""
        left = _PUT_S if self._puts_only else max(self.left(), 0.001)
        return httpx.Timeout(min(wait + SPARE_S, left), connect=min(CONNECT_S, left), pool=None)


class Outage:
    """How long Standfast has not answered; the first failure of each outage is logged."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: float | None = None

    def is_on(self) -> bool:
        return self._since is not None

    def over(self) -> None:
        self._since = None

    def left(self) -> float:
        return self._seconds if self._since is None else max(self._since + self._seconds - time.monotonic(), 0.0)

    def failed(self, got: httpx.Response | httpx.TransportError, limit: Limit, *, id: str | None, asked: bool) -> None:
        """Notes a failure; raises where it lasts, cannot mend itself, or the caller's time is over."""
        why = f"HTTP {got.status_code}" if isinstance(got, httpx.Response) else str(got) or repr(got)
        if isinstance(got, httpx.TransportError):
            raise_lasting(got)
        if self._since is None:
            self._since = time.monotonic()
            log.warning("Standfast does not answer%s (%s); trying again", _address_of(got), why)
        if limit.is_over() or self.left() <= 0:
            state = "the question is open, and its id waits on" if asked else "no request was answered: ask again"
            spent = "within the time limit" if limit.is_over() else f"for {self._seconds:.0f} s"
            raise StandfastUnreachable(f"Standfast did not answer {spent} ({why}); {state}", id, asked=asked)


def _address_of(got: httpx.Response | httpx.TransportError) -> str:
    try:
        return f" at {got.request.url.copy_with(raw_path=b'')}".rstrip("/")
    except RuntimeError:  # A failure that was raised without its request.
        return ""


def raise_lasting(error: httpx.TransportError) -> None:
    """Raises ``WrongAddress`` for what will be the same at the next try."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            raise WrongAddress(f"no TLS with what is at the address: {cause.reason or cause}") from error
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx.UnsupportedProtocol):
        raise WrongAddress(f"{error}: expected an address such as http://127.0.0.1:8600") from error
    if isinstance(error, httpx.RemoteProtocolError) and "illegal status line" in str(error).lower():
        raise WrongAddress("what is at the address does not speak HTTP; https:// where it speaks TLS?") from error
