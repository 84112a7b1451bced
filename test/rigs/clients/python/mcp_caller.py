"""A program on the Python SDK of MCP: calls one tool, and prints what came of it.

    mcp_caller.py <url> <legacy|auto> <answer|give-up|cancel> <tool> '{"its": "arguments"}'

`answer` waits for the result, `give-up` until people were asked and a second more, `cancel` until they were asked. The key is STANDFAST_API_KEY.
"""

import asyncio
import json
import os
import sys

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, mode: str, verb: str, tool: str, arguments: str) -> None:
    asked = asyncio.Event()

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        print(f'asked: {message}', flush=True)
        asked.set()

    headers = {'authorization': f'Bearer {os.environ["STANDFAST_API_KEY"]}'}
    async with httpx2.AsyncClient(headers=headers, timeout=700) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            timeout = 11 if verb == 'give-up' else 700
            call = asyncio.create_task(client.call_tool(tool, json.loads(arguments), timeout, on_progress))
            if verb == 'cancel':
                await asked.wait()
                call.cancel()
            try:
                result = await call
                print(json.dumps(result.structured_content), flush=True)
            except asyncio.CancelledError:
                print('cancelled', flush=True)
            except MCPError as error:
                print(f'gave up: {error}', flush=True)


if __name__ == '__main__':
    asyncio.run(main(*sys.argv[1:]))
