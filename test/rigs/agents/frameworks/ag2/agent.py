"""AG2 behind its own A2A server: a tool that requires approval, which its server has no way to ask for."""

import json
from typing import Any

import uvicorn
from ag2 import Agent
from ag2.a2a import A2AServer
from ag2.config import ModelConfig, ModelProvider
from ag2.events import ModelMessage, ModelMessageChunk, ModelRequest, ModelResponse, ToolCallEvent, ToolCallsEvent
from ag2.middleware import approval_required
from ag2.tools import tool
from payer import PAYEE, PIECES, begin, count, invoices_in, port_given


class Scripted(ModelConfig):
    provider = ModelProvider.OPENAI
    model = 'scripted'

    def copy(self) -> 'Scripted':
        return self

    def create(self) -> 'Scripted':
        return self

    async def __call__(self, messages: Any, context: Any, **_: Any) -> ModelResponse:
        requests = [message for message in messages if isinstance(message, ModelRequest)]
        words = ' '.join(str(getattr(part, 'content', part)) for part in requests[-1].parts)
        await begin(words)
        calls = [
            ToolCallEvent('pay', id=f'call-{invoice}', arguments=json.dumps({'invoice': invoice, 'to': PAYEE}))
            for invoice in invoices_in(words)
        ]
        if calls:
            return ModelResponse(tool_calls=ToolCallsEvent(calls))
        for piece in PIECES:
            await context.send(ModelMessageChunk(piece))
        message = ModelMessage(''.join(PIECES))
        await context.send(message)
        return ModelResponse(message)


@tool(middleware=[approval_required()])
def pay(invoice: int, to: str) -> str:
    """Pays an invoice."""
    count(invoice, to)
    return f'paid {invoice} to {to}'


port = port_given()
agent = Agent('payer', config=Scripted(), tools=[pay])
app = A2AServer(agent).build_jsonrpc(url=f'http://127.0.0.1:{port}/')
uvicorn.run(app, host='127.0.0.1', port=port, log_level='warning')
