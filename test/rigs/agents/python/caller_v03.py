"""A caller on the Python SDK of A2A 0.3: is asked, wants to be pushed, joins the stream again, answers, and cancels another
task. Prints what came of it.

    caller_v03.py <url> <binding> <push url>
"""

import asyncio
import json
import os
import sys
import uuid
from pathlib import Path

import grpc
import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import (
    DataPart,
    GetTaskPushNotificationConfigParams,
    Message,
    Part,
    PushNotificationConfig,
    Role,
    TaskIdParams,
    TaskPushNotificationConfig,
    TextPart,
)


def said(part, task_id=None) -> Message:
    return Message(message_id=str(uuid.uuid4()), role=Role.user, parts=[Part(root=part)], task_id=task_id)


async def last(stream, begun=None):
    """The task as it is when its stream ends."""
    task = None
    async for task, _update in stream:
        if begun is not None:
            begun.set()
    return task


def brief(task):
    texts = [''.join(part.root.text for part in artifact.parts) for artifact in task.artifacts or []]
    return [task.status.state.value, *texts]


def channel_to(address: str) -> grpc.aio.Channel:
    """In clear, or, with CALLER_CA (a file in PEM), to whom that certificate proves."""
    certificate = os.environ.get('CALLER_CA')
    if certificate is None:
        return grpc.aio.insecure_channel(address)
    return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(Path(certificate).read_bytes()))


async def main(url: str, binding: str, push_url: str) -> None:
    async with httpx.AsyncClient(timeout=60) as http:
        card = await A2ACardResolver(http, url).get_agent_card()
        config = ClientConfig(
            httpx_client=http,
            grpc_channel_factory=channel_to,
            supported_transports=[binding],
            use_client_preference=True,
        )
        client = ClientFactory(config).create(card)
        asked = await last(client.send_message(said(TextPart(text='plan it'))))
        form = next(part.root.data for part in asked.status.message.parts if part.root.kind == 'data')

        wanted = PushNotificationConfig(id='ours', url=push_url, token='a token')
        await client.set_task_callback(TaskPushNotificationConfig(task_id=asked.id, push_notification_config=wanted))
        names = GetTaskPushNotificationConfigParams(id=asked.id, push_notification_config_id='ours')
        push = (await client.get_task_callback(names)).push_notification_config

        begun = asyncio.Event()
        joined = asyncio.create_task(last(client.resubscribe(TaskIdParams(id=asked.id)), begun))
        first = asyncio.create_task(begun.wait())
        await asyncio.wait([joined, first], return_when=asyncio.FIRST_COMPLETED)
        answer = DataPart(data={'type': 'a2a.hitl.formResponse', 'formId': 'trip', 'values': {'days': 3}})
        answered = await last(client.send_message(said(answer, asked.id)))

        other = await last(client.send_message(said(TextPart(text='plan another'))))
        cancelled = await client.cancel_task(TaskIdParams(id=other.id))
        result = {
            'asked': [asked.status.state.value, form['formId']],
            'push': [push.id, push.url],
            'joined': brief(await joined),
            'answered': brief(answered),
            'cancelled': cancelled.status.state.value,
        }
        print(json.dumps(result), flush=True)


if __name__ == '__main__':
    asyncio.run(main(*sys.argv[1:]))
