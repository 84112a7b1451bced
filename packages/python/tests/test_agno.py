from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import pytest

agno = pytest.importorskip("agno.agent")

from agno.models.base import Model
from agno.models.response import ModelResponse
from agno.tools import tool

import standfast
import standfast.agno
from stub_server import Stub, stub_server

done: list[object] = []


@tool(requires_confirmation=True)
def pay(amount: int) -> str:
    """Pays."""
    done.append(amount)
    return f"paid {amount}"


@tool(requires_user_input=True, user_input_fields=["to", "urgent"])
def mail(subject: str, to: str, urgent: bool) -> str:
    """Mails."""
    done.append((subject, to, urgent))
    return "mailed"


@tool(external_execution=True)
def shell(command: str) -> str:
    """Runs elsewhere."""
    raise NotImplementedError


@dataclass
class Scripted(Model):
    """Makes these calls at once, then says what came of them."""

    id: str = "scripted"
    calls: dict[str, dict[str, Any]] = field(default_factory=dict)

    async def ainvoke(self, messages: list[Any], *_: Any, **__: Any) -> ModelResponse:
        results = [message.content for message in messages if message.role == "tool"]
        if results:
            return ModelResponse(role="assistant", content=" ".join(map(str, results)))
        functions = [{"name": name, "arguments": json.dumps(args)} for name, args in self.calls.items()]
        calls = [{"id": f"call-{one['name']}", "type": "function", "function": one} for one in functions]
        return ModelResponse(role="assistant", tool_calls=calls)

    def invoke(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    invoke_stream = ainvoke_stream = _parse_provider_response = _parse_provider_response_delta = invoke


def ended(tmp_path: object, stub: Stub, calls: dict[str, dict[str, Any]], times: int = 1) -> Any:
    async def run() -> Any:
        agent = agno.Agent(model=Scripted(calls=calls), tools=[pay, mail, shell], telemetry=False)
        memory = standfast.FileMemory(f"{tmp_path}/runs")
        async with standfast.AsyncStandfast(stub.url, outage=0.0) as client:
            return await standfast.agno.run(agent, "go", id="run-1", client=client, memory=memory)

    done.clear()
    for _ in range(times - 1):
        with pytest.raises(standfast.StandfastUnreachable):
            asyncio.run(run())
    return asyncio.run(run())


def yes(asked: dict[str, Any]) -> dict[str, Any]:
    answer = {"status": "answered", "by": "ana", "reason": None}
    if "tool" in asked:
        return {**answer, "approved": True, "args": asked["tool"]["args"]}
    assert asked["schema"]["properties"] == {"to": {"type": "string"}, "urgent": {"type": "boolean"}}
    return {**answer, "values": {"to": "ana@x.example", "urgent": False}}


def test_people_confirm_a_call_and_give_the_input_of_another_also_after_a_restart(tmp_path: object) -> None:
    calls = {"pay": {"amount": 7}, "mail": {"subject": "Hi"}}
    with stub_server() as stub:
        stub.decide = yes
        # Nothing answers the first process: it ends, and the second goes on with what the first has kept.
        stub.replies = [(503, {}), (503, {})]
        assert ended(tmp_path, stub, calls, times=2).content == "paid 7 mailed"
    assert done == [7, ("Hi", "ana@x.example", False)]


def test_a_pause_that_the_program_has_to_end_executes_nothing(tmp_path: object) -> None:
    with stub_server() as stub:
        stub.decide = yes
        result = ended(tmp_path, stub, {"pay": {"amount": 7}, "shell": {"command": "ls"}})
    assert result.is_paused
    assert [one.needs_external_execution for one in result.active_requirements] == [True]
    assert done == []
