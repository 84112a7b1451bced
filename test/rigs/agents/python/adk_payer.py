"""An agent on Google's ADK that asks before it pays, by a confirmation whose payload people may change."""

import json
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.tools import ToolContext
from google.genai import types
from payer import PAYEE, PIECES, begin, count, invoices_in, is_refused


def pay(invoice: int, to: str, tool_context: ToolContext) -> dict[str, Any]:
    """Pays an invoice."""
    confirmation = tool_context.tool_confirmation
    if confirmation is None:
        tool_context.request_confirmation(
            hint=f'Pay invoice {invoice} to {to}?', payload={'invoice': invoice, 'to': to}
        )
        return {'status': 'waiting for somebody to confirm'}
    if not confirmation.confirmed:
        return {'status': 'not paid', 'why': confirmation.hint}
    wanted = confirmation.payload or {'invoice': invoice, 'to': to}
    count(int(wanted['invoice']), wanted['to'])
    return {'status': f'paid {int(wanted["invoice"])} to {wanted["to"]}'}


class ScriptedModel(BaseLlm):
    model: str = 'scripted'

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        contents = llm_request.contents
        returned = [part.function_response.response for part in contents[-1].parts or [] if part.function_response]
        words = next(
            (part.text for content in reversed(contents) for part in content.parts or [] if part.text), ''
        )
        turns = sum(1 for content in contents for part in content.parts or [] if part.function_call)
        if returned and not ('again' in words and turns == 1 and is_refused(returned)):
            yield said('Done: ' + json.dumps(returned))
            return
        await begin(words)
        calls = [
            types.Part(function_call=types.FunctionCall(name='pay', args={'invoice': invoice, 'to': PAYEE}))
            for invoice in invoices_in(words)
        ]
        if calls:
            yield LlmResponse(content=types.Content(role='model', parts=calls))
            return
        if stream:
            for piece in PIECES:
                yield said(piece, partial=True)
        yield said(''.join(PIECES))


def said(text: str, partial: bool | None = None) -> LlmResponse:
    return LlmResponse(content=types.Content(role='model', parts=[types.Part(text=text)]), partial=partial)


payer = LlmAgent(name='payer', description='Pays invoices', model=ScriptedModel(), tools=[pay])
