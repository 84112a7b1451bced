"""What every agent here needs to be one: a card, JSON-RPC on 127.0.0.1, and a line once it listens."""

import argparse
import asyncio

import uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from starlette.applications import Starlette


class CancellableExecutor(AgentExecutor):
    """An executor that keeps nothing of its own: to cancel a task is to say so."""

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task
        await TaskUpdater(event_queue, task.id, task.context_id).cancel()


def app_of(executor: AgentExecutor, name: str, description: str, port: int) -> Starlette:
    """Tasks are in memory: take a DatabaseTaskStore where questions have to outlive the process."""
    card = AgentCard(
        name=name,
        description=description,
        version='1.0.0',
        default_input_modes=['text/plain', 'application/json'],
        default_output_modes=['text/plain', 'application/json'],
        capabilities=AgentCapabilities(streaming=True),
        supported_interfaces=[
            AgentInterface(protocol_binding='JSONRPC', url=f'http://127.0.0.1:{port}/', protocol_version='1.0')
        ],
        skills=[AgentSkill(id=name.replace(' ', '-'), name=name, description=description, tags=['example'])],
    )
    handler = DefaultRequestHandler(agent_executor=executor, task_store=InMemoryTaskStore(), agent_card=card)
    return Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, '/')])


async def serve(app: Starlette, name: str, port: int) -> None:
    server = uvicorn.Server(uvicorn.Config(app, host='127.0.0.1', port=port, log_level='warning'))
    serving = asyncio.create_task(server.serve())
    while not server.started and not serving.done():
        await asyncio.sleep(0.02)
    if server.started:
        print(f'{name} ready http://127.0.0.1:{port}/', flush=True)
    await serving


def port_asked(default: int) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument('--port', type=int, default=default)
    return parser.parse_args().port
