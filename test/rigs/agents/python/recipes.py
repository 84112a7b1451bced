"""Plays the Python of docs/agents.md as it is printed there, on the real packages: one message, and its answer if there is one.

The snippets come as JSON on standard input, in their order; what each agent's task came to leaves as a line of JSON.
"""

import ast
import asyncio
import inspect
import json
import sys
from typing import Any

import httpx
from a2a.helpers import new_task_from_user_message
from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from adk_accounts import ScriptedModel, delete_file, request_payment
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import LlmAgent
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import MessagesState, StateGraph
from langgraph.types import interrupt
from serve_agent import CancellableExecutor, app_of
from starlette.applications import Starlette


async def names_of(code: str, **given: Any) -> dict[str, Any]:
    """Runs a snippet, also one that awaits outside of a function; its model, printed as `...`, is the scripted one."""
    code = code.replace('model=...', 'model=ScriptedModel()')
    names = {'ScriptedModel': ScriptedModel, **given}
    done = eval(compile(code, 'docs/agents.md', 'exec', flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
    if inspect.isawaitable(done):
        await done
    return names


def pay(invoice: int) -> dict[str, Any]:
    """Pays an invoice."""
    return {'paid': invoice}


class Pausing(CancellableExecutor):
    def __init__(self, code: str) -> None:
        self.code = code

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task or new_task_from_user_message(context.message)
        await event_queue.enqueue_event(task)
        await names_of(self.code, event_queue=event_queue, task=task)


def reviewed_graph() -> Any:
    graph = StateGraph(MessagesState)
    graph.add_node('ask', lambda _: {'messages': [AIMessage(interrupt({'question': 'Go on?'})['why'])]})
    graph.set_entry_point('ask')
    return graph.compile(checkpointer=InMemorySaver())


async def agents_of(tools: str, callback: str, graph: str, pause: str) -> list[tuple[Starlette, list[dict[str, Any]]]]:
    """Each with what is sent to it in turn."""
    adk = await names_of(tools, delete_file=delete_file, request_payment=request_payment)
    # Its import of ADK is that of the snippet before.
    called = await names_of(callback, LlmAgent=LlmAgent, pay=pay)
    executor = type('Executor', (CancellableExecutor,), {'execute': (await names_of(graph))['execute']})()
    executor.graph = reviewed_graph()
    return [
        (adk['app'], [{'text': 'call delete_file {"path": "/x"}'}]),
        (to_a2a(called['agent'], host='127.0.0.1', port=1), [{'text': 'call pay {"invoice": 7}'}]),
        (app_of(executor, 'graph', 'asks', 1), [{'text': 'begin'}, {'data': {'why': 'because'}}]),
        (app_of(Pausing(pause), 'pauses', 'asks', 1), [{'text': 'begin'}]),
    ]


async def play(app: Starlette, parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    task: dict[str, Any] = {}
    ends = []
    async with app.router.lifespan_context(app):
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url='http://127.0.0.1:1') as client:
            for turn, part in enumerate(parts):
                ids = {'taskId': task['id'], 'contextId': task['contextId']} if task else {}
                message = {'messageId': f'm{turn}', 'role': 'ROLE_USER', 'parts': [part], **ids}
                call = {'jsonrpc': '2.0', 'id': turn, 'method': 'SendMessage', 'params': {'message': message}}
                answer = (await client.post('/', json=call, headers={'A2A-Version': '1.0'})).json()
                if 'error' in answer:
                    return [*ends, answer['error']]
                task = answer['result']['task']
                status = task['status']
                ends.append({'state': status['state'], 'parts': status.get('message', {}).get('parts', [])})
    return ends


async def main() -> None:
    for app, parts in await agents_of(*json.load(sys.stdin)):
        print(json.dumps(await play(app, parts)), flush=True)


asyncio.run(main())
