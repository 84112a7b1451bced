"""Google's ADK by a plain `to_a2a()`: a confirmed tool, one that asks in its own code, and one that somebody decides later.

    python adk_accounts.py    then say: call delete_file {"path": "/x"}
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.tools import FunctionTool, LongRunningFunctionTool, ToolContext
from google.genai import types
from script import Step, steps_in
from serve_agent import port_asked, serve


class ScriptedModel(BaseLlm):
    """Takes the last message for its script, or says what the tools returned."""

    model: str = 'scripted'

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        parts = (llm_request.contents[-1].parts if llm_request.contents else None) or []
        returned = [part.function_response for part in parts if part.function_response]
        if returned:
            said = [f'{item.name} returned {json.dumps(item.response, sort_keys=True)}' for item in returned]
            heard = [f'heard {part.text}' for part in parts if part.text]
            reply = [types.Part(text='\n'.join(said + heard))]
        else:
            steps = [step for part in parts if part.text for step in steps_in(part.text)]
            reply = [part_of(step) for step in steps] or [types.Part(text='heard nothing')]
        yield LlmResponse(content=types.Content(role='model', parts=reply))


def part_of(step: Step) -> types.Part:
    if step.verb == 'call':
        return types.Part(function_call=types.FunctionCall(name=step.text, args=step.args))
    return types.Part(text=step.text, thought=step.verb == 'think' or None)


def request_payment(amount: float, payee: str) -> dict[str, Any]:
    """Asks the accountants for a payment; somebody decides later."""
    return {'status': 'pending', 'ticket': 'T-7', 'amount': amount, 'payee': payee}


def delete_file(path: str) -> dict[str, Any]:
    """Deletes a file; ADK itself asks before it runs."""
    return {'deleted': path}


def book_trip(city: str, tool_context: ToolContext) -> dict[str, Any]:
    """Books a trip; asks with a form of its own, which people may change."""
    confirmation = tool_context.tool_confirmation
    if confirmation is None:
        tool_context.request_confirmation(hint=f'A trip to {city}?', payload={'days': 3, 'fare': 'eco'})
        return {'status': 'waiting for somebody to confirm'}
    if not confirmation.confirmed:
        return {'status': 'refused', 'why': confirmation.hint}
    return {'booked': city, **confirmation.payload}


ASKING_TOOLS = [
    LongRunningFunctionTool(request_payment),
    FunctionTool(delete_file, require_confirmation=True),
    book_trip,
]

if __name__ == '__main__':
    port = port_asked(8714)
    agent = LlmAgent(
        name='accounts', description='Asks before it acts', model=ScriptedModel(), tools=[*ASKING_TOOLS]
    )
    asyncio.run(serve(to_a2a(agent, host='127.0.0.1', port=port), 'python adk', port))
