"""OpenAI Agents SDK: a payment that a person approves. The model is scripted: it needs no key."""

import asyncio
import json
from typing import Any

from agents import Agent, Model, ModelResponse, RunConfig, Usage, function_tool
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from scripted import call, client, done, execute, memory, prompt, run_id

import standfast.openai_agents


class Scripted(Model):
    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:
        items: list[Any] = [] if isinstance(input, str) else list(input)
        results = [item["output"] for item in items if item.get("type") == "function_call_output"]
        if results:
            text = ResponseOutputText(text=str(results[0]), type="output_text", annotations=[])
            answer: Any = ResponseOutputMessage(
                id="message-1", content=[text], role="assistant", status="completed", type="message"
            )
        else:
            answer = ResponseFunctionToolCall(
                call_id="call-1", name="pay", arguments=json.dumps(call), type="function_call"
            )
        return ModelResponse(output=[answer], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


@function_tool(needs_approval=True)
def pay(amount: int, to: str) -> str:
    return execute(amount, to)


agent = Agent(name="accounts", model=Scripted(), tools=[pay])


async def main() -> None:
    untraced = RunConfig(tracing_disabled=True)
    async with client() as people:
        result = await standfast.openai_agents.run(
            agent, prompt, id=run_id, client=people, memory=memory, run_config=untraced
        )
        done(result.final_output)


asyncio.run(main())
