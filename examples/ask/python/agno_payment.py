"""agno: a payment that a person confirms. The model is scripted: it needs no key."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

from agno.agent import Agent
from agno.models.base import Model
from agno.models.response import ModelResponse
from agno.tools.function import Function
from scripted import call, client, done, execute, memory, prompt, run_id

import standfast.agno


@dataclass
class Scripted(Model):
    id: str = "scripted"

    def invoke(self, messages: list[Any], *_: Any, **__: Any) -> ModelResponse:
        results = [message.content for message in messages if message.role == "tool"]
        if results:
            return ModelResponse(role="assistant", content=str(results[-1]))
        function = {"name": "pay", "arguments": json.dumps(call)}
        return ModelResponse(role="assistant", tool_calls=[{"id": "call-1", "type": "function", "function": function}])

    async def ainvoke(self, messages: list[Any], *_: Any, **__: Any) -> ModelResponse:
        return self.invoke(messages)

    def invoke_stream(self, *_: Any, **__: Any) -> Iterator[ModelResponse]:
        raise NotImplementedError

    def ainvoke_stream(self, *_: Any, **__: Any) -> AsyncIterator[ModelResponse]:
        raise NotImplementedError

    def _parse_provider_response(self, response: ModelResponse, **_: Any) -> ModelResponse:
        return response

    def _parse_provider_response_delta(self, response: ModelResponse) -> ModelResponse:
        return response


def pay(amount: int, to: str) -> str:
    """Pays an amount of EUR."""
    return execute(amount, to)


# What `@tool(requires_confirmation=True)` makes of it, in types that checkers know.
confirmed = Function(name="pay", description=pay.__doc__, entrypoint=pay, requires_confirmation=True)
agent = Agent(model=Scripted(), tools=[confirmed], telemetry=False)


async def main() -> None:
    async with client() as people:
        result = await standfast.agno.run(agent, prompt, id=run_id, client=people, memory=memory)
        done(result.content)


asyncio.run(main())
