"""Microsoft agent-framework behind its A2A executor: a tool that requires approval, which it has no way to ask for."""

from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from typing import Any

import uvicorn
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface
from agent_framework import Agent, BaseChatClient, ChatResponse, ChatResponseUpdate, Content, FunctionInvocationLayer
from agent_framework import Message, ResponseStream, tool
from agent_framework_a2a import A2AExecutor
from payer import PAYEE, PIECES, begin, count, invoices_in, port_given
from starlette.applications import Starlette


class Scripted(FunctionInvocationLayer, BaseChatClient):
    def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **_: Any
    ) -> Awaitable[ChatResponse] | ResponseStream[ChatResponseUpdate, ChatResponse]:
        return ResponseStream(pieces(messages[-1].text), finalizer=ChatResponse.from_updates)


async def pieces(words: str) -> AsyncIterator[ChatResponseUpdate]:
    await begin(words)
    calls = [
        Content.from_function_call(f'call-{invoice}', 'pay', arguments={'invoice': invoice, 'to': PAYEE})
        for invoice in invoices_in(words)
    ]
    if calls:
        yield ChatResponseUpdate(role='assistant', contents=calls)
        return
    for piece in PIECES:
        yield ChatResponseUpdate(role='assistant', contents=[Content.from_text(piece)], message_id='answer')


@tool(approval_mode='always_require')
def pay(invoice: int, to: str) -> str:
    """Pays an invoice."""
    count(invoice, to)
    return f'paid {invoice} to {to}'


port = port_given()
card = AgentCard(
    name='payer',
    description='Pays invoices',
    version='1.0.0',
    default_input_modes=['text'],
    default_output_modes=['text'],
    capabilities=AgentCapabilities(streaming=True),
    supported_interfaces=[AgentInterface(url=f'http://127.0.0.1:{port}/', protocol_binding='JSONRPC')],
    skills=[],
)
executor = A2AExecutor(Agent(client=Scripted(), tools=[pay], name='payer'), stream=True)
handler = DefaultRequestHandler(agent_executor=executor, task_store=InMemoryTaskStore(), agent_card=card)
app = Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, '/')])
uvicorn.run(app, host='127.0.0.1', port=port, log_level='warning')
