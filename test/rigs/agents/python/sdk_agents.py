"""Agents on the official Python a2a-sdk, put together as its samples are.

    hello   says that it works, gives an artifact, completes (as the helloworld sample; its card names no protocol version)
    survey  asks in words until it has a colour and a size, says in between what it does, completes
    reply   answers with a message alone, without a task
    payer   does what the words say (payer.py), asks by a form for each call, and counts what it executes, pushes and is joined to
"""

import argparse
import asyncio
from pathlib import Path

import grpc
import httpx
import uvicorn
from a2a.helpers import (
    get_data_parts,
    get_message_text,
    new_data_part,
    new_task_from_user_message,
    new_text_message,
    new_text_part,
)
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Role, TaskState
from a2a.types import a2a_pb2_grpc
from payer import PAYEE, PIECES, begin as begin_model, count, invoices_in
from starlette.applications import Starlette


async def begin(context: RequestContext, queue: EventQueue) -> TaskUpdater:
    """The task of this message, published when it is new: the first event has to be a task."""
    task = context.current_task
    if task is None:
        task = new_task_from_user_message(context.message)
        await queue.enqueue_event(task)
    return TaskUpdater(queue, task.id, task.context_id)


class Cancelable(AgentExecutor):
    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await (await begin(context, event_queue)).cancel()


class Hello(Cancelable):
    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        updater = await begin(context, event_queue)
        await updater.start_work(new_text_message('I read your message.'))
        text = f'Hello, you said: {get_message_text(context.message)}'
        await updater.add_artifact([new_text_part(text)], name='greeting')
        await updater.complete(new_text_message('That was all.'))


class Survey(Cancelable):
    """What people answered is read from the task's history, so the history is what the SDK keeps."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        is_first = context.current_task is None
        updater = await begin(context, event_queue)
        text = get_message_text(context.message)
        if is_first:
            await updater.start_work(new_text_message('I begin the survey.'))
            await updater.requires_input(new_text_message('Which colour?'))
            return
        # The history lacks both this message and its own last question: the SDK adds them with the next status.
        earlier = [item for item in context.current_task.history if item.role == Role.ROLE_USER]
        told = [*map(get_message_text, earlier), text]
        await updater.start_work(new_text_message(f'I note {text}.'))
        if len(told) < 3:
            await updater.requires_input(new_text_message('Which size?'))
            return
        await updater.add_artifact([new_text_part(' / '.join(told))], name='survey')
        await updater.complete(new_text_message('Thank you.'))


class Reply(Cancelable):
    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        await event_queue.enqueue_event(new_text_message(f'You said: {get_message_text(context.message)}'))


class Payer(Cancelable):
    """What a task was begun with is kept here: gone with the process, as its tasks are."""

    def __init__(self) -> None:
        self.asked: dict[str, list[int]] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        is_first = context.current_task is None
        updater = await begin(context, event_queue)
        if not is_first:
            await self.pay(context, updater)
            return
        words = get_message_text(context.message)
        await updater.start_work()
        await begin_model(words)
        self.asked[updater.task_id] = invoices_in(words)
        forms = [new_data_part(payment_form(invoice)) for invoice in self.asked[updater.task_id]]
        if forms:
            await updater.requires_input(updater.new_agent_message(forms))
            return
        for at, piece in enumerate(PIECES):
            await updater.add_artifact([new_text_part(piece)], artifact_id='words', append=at > 0)
        await updater.complete()

    async def pay(self, context: RequestContext, updater: TaskUpdater) -> None:
        answers = {data['formId']: data['values'] for data in get_data_parts(context.message.parts)}
        results = []
        for invoice in self.asked[updater.task_id]:
            if answers[f'pay-{invoice}']['approved'] is True:
                count(invoice, PAYEE)
                results.append(f'paid {invoice} to {PAYEE}')
            else:
                results.append(f'{invoice} not paid')
        await updater.complete(new_text_message('; '.join(results)))


def payment_form(invoice: int) -> dict:
    approved = {'name': 'approved', 'type': 'boolean', 'required': True}
    return {
        'type': 'a2a.hitl.form',
        'formId': f'pay-{invoice}',
        'title': f'Pay invoice {invoice}?',
        'fields': [approved],
    }


class CountingHandler(DefaultRequestHandler):
    """Writes down who joins a task."""

    async def on_subscribe_to_task(self, params, context):
        count('joined', params.id)
        async for event in super().on_subscribe_to_task(params, context):
            yield event


async def count_push(response: httpx.Response) -> None:
    count('push', None if response.is_success else response.status_code)


EXECUTORS: dict[str, type[AgentExecutor]] = {'hello': Hello, 'survey': Survey, 'reply': Reply, 'payer': Payer}


def handler_of(kind: str, card: AgentCard) -> DefaultRequestHandler:
    own = {'agent_executor': EXECUTORS[kind](), 'task_store': InMemoryTaskStore(), 'agent_card': card}
    if kind != 'payer':
        return DefaultRequestHandler(**own)
    configs = InMemoryPushNotificationConfigStore()
    client = httpx.AsyncClient(event_hooks={'response': [count_push]})
    sender = BasePushNotificationSender(client, configs)
    return CountingHandler(**own, push_config_store=configs, push_sender=sender)


def build_app(kind: str, binding: str, url: str, grpc_server: grpc.aio.Server) -> Starlette:
    interface = AgentInterface(protocol_binding=binding, url=url)
    if kind != 'hello':
        interface.protocol_version = '1.0'
    card = AgentCard(
        name=f'{kind} agent',
        description='An agent of the official Python SDK',
        version='1.0.0',
        default_input_modes=['text/plain'],
        default_output_modes=['text/plain'],
        capabilities=AgentCapabilities(streaming=True, push_notifications=kind == 'payer'),
        supported_interfaces=[interface],
        skills=[AgentSkill(id=kind, name=kind, description=f'It can {kind}', tags=['rig'])],
    )
    handler = handler_of(kind, card)
    if binding == 'GRPC':
        a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(handler), grpc_server)
        return Starlette(routes=create_agent_card_routes(card))
    own = create_rest_routes(handler) if binding == 'HTTP+JSON' else create_jsonrpc_routes(handler, '/')
    return Starlette(routes=[*create_agent_card_routes(card), *own])


async def serve(kind: str, binding: str, port: int, grpc_port: int, tls: tuple[str, str] | None) -> None:
    grpc_server = grpc.aio.server()
    address = f'127.0.0.1:{grpc_port}'
    secured = {}
    if tls is not None and binding != 'GRPC':
        secured = {'ssl_certfile': tls[0], 'ssl_keyfile': tls[1]}
    web_url = f'{"https" if secured else "http"}://127.0.0.1:{port}/'
    # As the SDK's own samples write it: gRPC has no scheme and no path.
    grpc_url = address if tls is None else f'grpcs://{address}'
    app = build_app(kind, binding, grpc_url if binding == 'GRPC' else web_url, grpc_server)
    if binding == 'GRPC':
        if tls is None:
            grpc_server.add_insecure_port(address)
        else:
            certificate, key = (Path(file).read_bytes() for file in tls)
            grpc_server.add_secure_port(address, grpc.ssl_server_credentials([(key, certificate)]))
        await grpc_server.start()
    server = uvicorn.Server(uvicorn.Config(app, host='127.0.0.1', port=port, log_level='warning', **secured))
    serving = asyncio.create_task(server.serve())
    while not server.started and not serving.done():
        await asyncio.sleep(0.02)
    if server.started:
        print(f'{kind} agent ready {web_url}', flush=True)
    await serving


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('kind', choices=EXECUTORS)
    parser.add_argument('--binding', choices=['JSONRPC', 'HTTP+JSON', 'GRPC'], default='JSONRPC')
    parser.add_argument('--port', type=int, required=True)
    parser.add_argument('--grpc-port', type=int, default=0)
    parser.add_argument('--tls-cert')
    parser.add_argument('--tls-key')
    options = parser.parse_args()
    tls = None if options.tls_cert is None else (options.tls_cert, options.tls_key)
    asyncio.run(serve(options.kind, options.binding, options.port, options.grpc_port, tls))
