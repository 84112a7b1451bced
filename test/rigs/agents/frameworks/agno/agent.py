"""agno's AgentOS: a tool that requires confirmation, which its A2A interface has no way to ask for."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import uvicorn
from agno.agent import Agent
from agno.models.base import Model
from agno.models.response import ModelResponse
from agno.os import AgentOS
from agno.tools import tool
from payer import PAYEE, PIECES, begin, count, invoices_in, port_given


@dataclass
class Scripted(Model):
    id: str = 'scripted'

    async def ainvoke_stream(self, messages: list[Any], *_: Any, **__: Any) -> AsyncIterator[ModelResponse]:
        words = str([message.content for message in messages if message.role == 'user'][-1])
        await begin(words)
        calls = [
            {
                'id': f'call-{invoice}',
                'type': 'function',
                'function': {'name': 'pay', 'arguments': json.dumps({'invoice': invoice, 'to': PAYEE})},
            }
            for invoice in invoices_in(words)
        ]
        if calls:
            yield ModelResponse(role='assistant', tool_calls=calls)
            return
        for piece in PIECES:
            yield ModelResponse(role='assistant', content=piece)

    async def ainvoke(self, messages: list[Any], *_: Any, **__: Any) -> ModelResponse:
        pieces = [piece async for piece in self.ainvoke_stream(messages)]
        calls = [call for piece in pieces for call in piece.tool_calls or []]
        return ModelResponse(role='assistant', content=''.join(piece.content or '' for piece in pieces), tool_calls=calls)

    def invoke(self, *_: Any, **__: Any) -> ModelResponse:
        raise NotImplementedError

    def invoke_stream(self, *_: Any, **__: Any) -> Iterator[ModelResponse]:
        raise NotImplementedError

    def _parse_provider_response(self, response: Any, **_: Any) -> ModelResponse:
        return response

    def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
        return response


@tool(requires_confirmation=True)
def pay(invoice: int, to: str) -> str:
    """Pays an invoice."""
    count(invoice, to)
    return f'paid {invoice} to {to}'


agent = Agent(id='payer', name='payer', description='Pays invoices', model=Scripted(), tools=[pay], telemetry=False)
app = AgentOS(agents=[agent], a2a_interface=True, telemetry=False).get_app()
uvicorn.run(app, host='127.0.0.1', port=port_given(), log_level='warning')
