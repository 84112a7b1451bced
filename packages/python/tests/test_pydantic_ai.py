from __future__ import annotations

import asyncio
from typing import Any

import pytest

pydantic_ai = pytest.importorskip("pydantic_ai")

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import FunctionModel

import standfast
import standfast.pydantic_ai
from stub_server import stub_server


def test_a_run_with_calls_that_only_the_program_can_make_is_handed_to_it(tmp_path: object) -> None:
    def calls(_: list[ModelMessage], __: Any) -> ModelResponse:
        return ModelResponse(parts=[ToolCallPart("pay", {"amount": 7}, "c-1"), ToolCallPart("shell", {}, "c-2")])

    agent = pydantic_ai.Agent(FunctionModel(calls), output_type=[str, pydantic_ai.DeferredToolRequests])

    @agent.tool_plain(requires_approval=True)
    def pay(amount: int) -> str:
        raise NotImplementedError

    @agent.tool_plain
    def shell() -> str:
        raise pydantic_ai.CallDeferred

    async def run(url: str) -> Any:
        memory = standfast.FileMemory(f"{tmp_path}/runs")
        async with standfast.AsyncStandfast(url) as client:
            return await standfast.pydantic_ai.run(agent, "go", id="run-1", client=client, memory=memory)

    with stub_server() as stub:
        output = asyncio.run(run(stub.url)).output
        assert stub.requests == []
    assert [[one.tool_name for one in group] for group in (output.approvals, output.calls)] == [["pay"], ["shell"]]
