"""pydantic-ai: a payment that a person approves. The model is scripted: it needs no key."""

import asyncio

from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from scripted import call, client, done, execute, memory, prompt, run_id

import standfast.pydantic_ai


def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    results = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
    if results:
        return ModelResponse(parts=[TextPart(f"{results[0].content}")])
    return ModelResponse(parts=[ToolCallPart("pay", call, tool_call_id="call-1")])


agent = Agent(FunctionModel(model), output_type=[str, DeferredToolRequests])


@agent.tool_plain(requires_approval=True)
def pay(amount: int, to: str) -> str:
    return execute(amount, to)


async def main() -> None:
    async with client() as people:
        result = await standfast.pydantic_ai.run(agent, prompt, id=run_id, client=people, memory=memory)
        done(result.output)


asyncio.run(main())
