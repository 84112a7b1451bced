"""pydantic-ai behind fasta2a, whose tool requires approval that it has no way to ask for; and behind AG-UI, which has."""

from collections.abc import AsyncIterator

import uvicorn
from fasta2a.pydantic_ai import agent_to_a2a
from payer import PAYEE, PIECES, begin, count, invoices_in, port_given
from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelMessage, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


async def stream(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
    returns = [str(part.content) for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
    if returns:
        yield ', '.join(returns)
        return
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


async def ag_ui(request: Request) -> Response:
    return await AGUIAdapter.dispatch_request(request, agent=agent)


port = port_given()
app = agent_to_a2a(agent, name='payer', url=f'http://127.0.0.1:{port}')
app.router.routes.append(Route('/ag-ui', ag_ui, methods=['POST']))
uvicorn.run(app, host='127.0.0.1', port=port, log_level='warning')
