"""A CrewAI agent behind a2a-sdk, run by CrewAI's own task utilities: a tool that is approved at the server's terminal."""

import asyncio
import json
import os
from typing import Any

# Both send to others' servers, and hold a call up where those are not there.
os.environ.update(CREWAI_DISABLE_TELEMETRY='true', CREWAI_TRACING_ENABLED='false', OTEL_SDK_DISABLED='true')

import uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.apps import A2AStarletteApplication
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore
from crewai import Agent
from crewai.a2a.config import A2AServerConfig
from crewai.a2a.utils import task
from crewai.hooks import before_tool_call
from crewai.llms.base_llm import BaseLLM
from crewai.tools import tool
from payer import PAYEE, PIECES, begin, count, invoices_in, port_given


class Scripted(BaseLLM):
    """Calls `pay` once for each invoice that the person names, in the words that CrewAI reads calls from."""

    def call(self, messages: list[dict[str, Any]], *_: Any, **__: Any) -> str:
        asked = next(str(one['content']) for one in messages if one['role'] == 'user')
        words = asked.split('Current Task:')[-1].split('This is the expected')[0]
        results = [str(one['content']).split('Observation:')[1].strip() for one in messages if one['role'] == 'assistant']
        if results:
            return f'Thought: done\nFinal Answer: Done: {" | ".join(results)}'
        asyncio.run(begin(words))
        for invoice in invoices_in(words):
            return f'Thought: I pay\nAction: pay\nAction Input: {json.dumps({"invoice": invoice, "to": PAYEE})}'
        return f'Thought: done\nFinal Answer: {"".join(PIECES)}'


@tool('pay')
def pay(invoice: int, to: str) -> str:
    """Pays an invoice."""
    count(invoice, to)
    return f'paid {invoice} to {to}'


@before_tool_call
def approve(context: Any) -> bool | None:
    return None if context.request_human_input('May pay run?') == 'yes' else False


class Executor(AgentExecutor):
    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        await task.execute(payer, context, event_queue)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await task.cancel(context, event_queue)


port = port_given()
payer = Agent(
    role='payer',
    goal='Pays invoices',
    backstory='Pays',
    llm=Scripted(model='scripted'),
    tools=[pay],
    a2a=A2AServerConfig(url=f'http://127.0.0.1:{port}/'),
)
card = payer.to_agent_card(f'http://127.0.0.1:{port}/')
handler = DefaultRequestHandler(agent_executor=Executor(), task_store=InMemoryTaskStore())
app = A2AStarletteApplication(agent_card=card, http_handler=handler).build()
uvicorn.run(app, host='127.0.0.1', port=port, log_level='warning')
