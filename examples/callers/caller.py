"""A caller on the A2A Python SDK: says one thing to an agent behind Standfast and prints what comes, an event a line.

    caller.py http://127.0.0.1:8600/a2a/expenses/ "Lunch with the customer, 84.50 EUR"

STANDFAST_API_KEY: its key, where Standfast has keys.
"""

import asyncio
import os
import sys
import uuid

import httpx
from a2a.client import ClientConfig, create_client
from a2a.types import Message, Part, Role, SendMessageRequest, TaskState
from google.protobuf.json_format import MessageToDict

HOLDS = 'urn:standfast:a2a:hold:v1'


def text_of(parts) -> str:
    return ' '.join(part.text for part in parts if part.HasField('text'))


def show(event) -> None:
    kind = event.WhichOneof('payload')
    if kind == 'artifact_update':
        print('artifact:', text_of(event.artifact_update.artifact.parts), flush=True)
    elif kind == 'message':
        print('message:', text_of(event.message.parts), flush=True)
    elif kind in ('task', 'status_update'):
        status = getattr(event, kind).status
        state = TaskState.Name(status.state).removeprefix('TASK_STATE_')
        print(f'{state} {text_of(status.message.parts)}'.strip(), flush=True)
        for hold in MessageToDict(status.message.metadata).get(HOLDS, {}).get('holds', []):
            print('  answer it at', hold['url'], flush=True)


async def main(url: str, text: str) -> None:
    key = os.environ.get('STANDFAST_API_KEY')
    headers = {} if key is None else {'Authorization': f'Bearer {key}'}
    # People take their time, and the stream is quiet meanwhile.
    http = httpx.AsyncClient(headers=headers, timeout=None)
    client = await create_client(url, ClientConfig(httpx_client=http))
    message = Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=[Part(text=text)])
    async for event in client.send_message(SendMessageRequest(message=message)):
        show(event)
    await client.close()


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1], ' '.join(sys.argv[2:])))
