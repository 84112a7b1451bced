"""A caller on the Python SDK of A2A 1.0 that does what caller_v03.py does.

    caller_v1.py <url> <binding> <push url>
"""

import asyncio
import json
import os
import sys
import uuid
from pathlib import Path

import grpc
import httpx
from a2a.client import ClientConfig, create_client
from a2a.types import (
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetTaskPushNotificationConfigRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
    TaskState,
)
from google.protobuf.json_format import MessageToDict, ParseDict


def said(part, task_id='') -> SendMessageRequest:
    message = Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=[part], task_id=task_id)
    return SendMessageRequest(message=message)


def name_of(state) -> str:
    return TaskState.Name(state).removeprefix('TASK_STATE_').lower().replace('_', '-')


async def read(stream, begun=None):
    """Where the task is when its stream ends, and what came on the way."""
    seen = {'id': '', 'state': '', 'form': None, 'artifacts': []}
    async for event in stream:
        kind = event.WhichOneof('payload')
        if kind == 'artifact_update':
            seen['artifacts'].append(''.join(part.text for part in event.artifact_update.artifact.parts))
        else:
            payload = getattr(event, kind)
            seen['id'] = payload.id if kind == 'task' else payload.task_id
            seen['state'] = name_of(payload.status.state)
            parts = [MessageToDict(part) for part in payload.status.message.parts]
            seen['form'] = next((part['data']['formId'] for part in parts if 'data' in part), None)
        if begun is not None:
            begun.set()
    return seen


def brief(seen):
    return [seen['state'], *seen['artifacts']]


def channel_to(address: str) -> grpc.aio.Channel:
    """In clear, or, with CALLER_CA (a file in PEM), to whom that certificate proves."""
    certificate = os.environ.get('CALLER_CA')
    if certificate is None:
        return grpc.aio.insecure_channel(address)
    return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(Path(certificate).read_bytes()))


async def wait_if_asked() -> None:
    """Until the file that CALLER_WAITS names is there: what is called may be killed meanwhile."""
    path = os.environ.get('CALLER_WAITS')
    if path is None:
        return
    print('waits', flush=True)
    while not os.path.exists(path):
        await asyncio.sleep(0.05)


async def main(url: str, binding: str, push_url: str) -> None:
    async with httpx.AsyncClient(timeout=60) as http:
        config = ClientConfig(
            httpx_client=http,
            grpc_channel_factory=channel_to,
            supported_protocol_bindings=[binding],
            use_client_preference=True,
        )
        client = await create_client(url, config)
        asked = await read(client.send_message(said(Part(text='plan it'))))

        wanted = TaskPushNotificationConfig(task_id=asked['id'], id='ours', url=push_url, token='a token')
        await client.create_task_push_notification_config(wanted)
        names = GetTaskPushNotificationConfigRequest(task_id=asked['id'], id='ours')
        push = await client.get_task_push_notification_config(names)
        other = TaskPushNotificationConfig(task_id=asked['id'], id='other', url=push_url)
        await client.create_task_push_notification_config(other)
        unwanted = DeleteTaskPushNotificationConfigRequest(task_id=asked['id'], id='other')
        await client.delete_task_push_notification_config(unwanted)
        await wait_if_asked()

        begun = asyncio.Event()
        joined = asyncio.create_task(read(client.subscribe(SubscribeToTaskRequest(id=asked['id'])), begun))
        first = asyncio.create_task(begun.wait())
        await asyncio.wait([joined, first], return_when=asyncio.FIRST_COMPLETED)
        answer = ParseDict(
            {'data': {'type': 'a2a.hitl.formResponse', 'formId': 'trip', 'values': {'days': 3}}}, Part()
        )
        answered = await read(client.send_message(said(answer, asked['id'])))

        other = await read(client.send_message(said(Part(text='plan another'))))
        cancelled = await client.cancel_task(CancelTaskRequest(id=other['id']))
        result = {
            'asked': [asked['state'], asked['form']],
            'push': [push.id, push.url],
            'joined': brief(await joined),
            'answered': brief(answered),
            'cancelled': name_of(cancelled.status.state),
        }
        print(json.dumps(result), flush=True)


if __name__ == '__main__':
    asyncio.run(main(*sys.argv[1:]))
