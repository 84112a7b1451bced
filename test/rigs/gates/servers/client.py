"""A client of a gate on the Python SDK of MCP: reads a request in JSON a line, and writes what came of it."""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, key: str) -> None:
    timeout = httpx2.Timeout(30, read=300)
    http = httpx2.AsyncClient(headers={"authorization": f"Bearer {key}"}, timeout=timeout)
    async with http, Client(streamable_http_client(url, http_client=http)) as client:
        print(json.dumps({"ready": True}), flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            asked = json.loads(line)
            if asked["do"] == "tools":
                listed = await client.list_tools()
                answer = {"tools": [tool.name for tool in listed.tools]}
            else:
                result = await client.call_tool(asked["name"], asked["args"])
                texts = [getattr(part, "text", "") for part in result.content]
                answer = {"text": texts[0] if texts else "", "isError": bool(result.is_error)}
            print(json.dumps(answer), flush=True)


asyncio.run(main(*sys.argv[1:]))
