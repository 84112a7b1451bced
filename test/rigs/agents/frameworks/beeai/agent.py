"""BeeAI's framework behind its own A2A server: a tool that needs permission, which it asks for at its own terminal."""

import json
from collections.abc import AsyncGenerator
from typing import Any

from beeai_framework.adapters.a2a import A2AServer, A2AServerConfig
from beeai_framework.agents.requirement import RequirementAgent
from beeai_framework.agents.requirement.requirements.ask_permission import AskPermissionRequirement
from beeai_framework.backend import AssistantMessage, ChatModel, ChatModelOutput, MessageToolCallContent
from beeai_framework.memory import UnconstrainedMemory
from beeai_framework.tools import tool
from payer import PAYEE, PIECES, begin, count, invoices_in, port_given


class Scripted(ChatModel):
    model_id = 'scripted'
    provider_id = 'openai'

    async def _create(self, input: Any, run: Any) -> ChatModelOutput:
        words = [message.text for message in input.messages if message.role == 'user'][-1]
        await begin(words)
        calls = [('pay', {'invoice': invoice, 'to': PAYEE}) for invoice in invoices_in(words)]
        content = [
            MessageToolCallContent(id=f'call-{at}', tool_name=name, args=json.dumps(args))
            for at, (name, args) in enumerate(calls or [('final_answer', {'response': ''.join(PIECES)})])
        ]
        return ChatModelOutput(output=[AssistantMessage(content)])

    async def _create_stream(self, input: Any, run: Any) -> AsyncGenerator[ChatModelOutput]:
        yield await self._create(input, run)


@tool
def pay(invoice: int, to: str) -> str:
    """Pays an invoice."""
    count(invoice, to)
    return f'paid {invoice} to {to}'


agent = RequirementAgent(
    llm=Scripted(),
    name='payer',
    tools=[pay],
    requirements=[AskPermissionRequirement(['pay'])],
    memory=UnconstrainedMemory(),
)
port = port_given()
A2AServer(config=A2AServerConfig(host='127.0.0.1', port=port)).register(agent).serve()
