"""Microsoft agent-framework: a payment that a person approves. The model is scripted: it needs no key."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from agent_framework import Agent, BaseChatClient, ChatResponse, Content, FunctionInvocationLayer, Message, tool
from scripted import call, client, done, execute, memory, prompt, run_id

import standfast.agent_framework


class Scripted(FunctionInvocationLayer, BaseChatClient):
    async def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **_: Any
    ) -> ChatResponse:
        results = [part.result for message in messages for part in message.contents if part.type == "function_result"]
        if results:
            return ChatResponse(messages=[Message("assistant", [Content.from_text(str(results[-1]))])])
        asked = Content.from_function_call("call-1", "pay", arguments=call)
        return ChatResponse(messages=[Message("assistant", [asked])])


@tool(approval_mode="always_require")
def pay(amount: int, to: str) -> str:
    """Pays an amount of EUR."""
    return execute(amount, to)


agent = Agent(client=Scripted(), tools=[pay])


async def main() -> None:
    async with client() as people:
        result = await standfast.agent_framework.run(agent, prompt, id=run_id, client=people, memory=memory)
        done(result.text)


asyncio.run(main())
