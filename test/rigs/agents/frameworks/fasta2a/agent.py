"""pydantic-ai behind fasta2a: a tool that requires approval, which its server has no way to ask for."""

from collections.abc import AsyncIterator

import uvicorn
from fasta2a.pydantic_ai import agent_to_a2a
from payer import PAYEE, PIECES, begin, count, invoices_in, port_given
from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelMessage, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel


async def stream(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
    prompts = [part.content for message in messages for part in message.parts if isinstance(part, UserPromptPart)]
    words = str(prompts[-1])
    await begin(words)
    for index, invoice in enumerate(invoices_in(words)):
        arguments = f'{{"invoice": {invoice}, "to": "{PAYEE}"}}'
        yield {index: DeltaToolCall('pay', arguments, tool_call_id=f'call-{invoice}')}
    if not invoices_in(words):
        for piece in PIECES:
            yield piece


agent = Agent(FunctionModel(stream_function=stream), output_type=[str, DeferredToolRequests])


@agent.tool_plain(requires_approval=True)
def pay(invoice: int, to: str) -> str:
    count(invoice, to)
    return f'paid {invoice} to {to}'


port = port_given()
app = agent_to_a2a(agent, name='payer', url=f'http://127.0.0.1:{port}')
uvicorn.run(app, host='127.0.0.1', port=port, log_level='warning')
