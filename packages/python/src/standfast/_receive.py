"""Reads an answer whole within the time of its request: httpx bounds the pauses of an answer, and not the whole of it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import httpx

#: More is no answer of Standfast's.
MOST_BYTES = 64 * 1024 * 1024
#: About the body as it came, and not about what was read of it.
_OF_TRANSFER = {"content-encoding", "content-length", "transfer-encoding"}


def receive(http: httpx.Client, given: dict[str, Any]) -> httpx.Response:
    """Raises ``httpx.TransportError`` for an answer that takes longer, or is larger."""
    ends = time.monotonic() + given["timeout"].read
    with http.stream(**given) as response:
        request, body = response.request, bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if time.monotonic() > ends:
                raise httpx.ReadTimeout("the answer did not end in time", request=request)
            if len(body) > MOST_BYTES:
                raise httpx.ReadError(f"the answer is larger than {MOST_BYTES} bytes", request=request)
    headers = [(name, value) for name, value in response.headers.multi_items() if name.lower() not in _OF_TRANSFER]
    return httpx.Response(response.status_code, headers=headers, content=bytes(body), request=request)


async def receive_async(http: httpx.AsyncClient, given: dict[str, Any]) -> httpx.Response:
    """As ``receive``."""
    try:
        return await asyncio.wait_for(http.request(**given), given["timeout"].read)
    except asyncio.TimeoutError:
        raise httpx.ReadTimeout("the answer did not end in time") from None
