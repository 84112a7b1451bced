"""pydantic-ai: tools with ``requires_approval=True`` are approved by people.

The agent's ``output_type`` has to include ``DeferredToolRequests``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDenied
from pydantic_ai.messages import ModelMessage
from pydantic_ai.run import AgentRunResult

from ._adapter import Call, args_of, verdicts
from ._client import AsyncStandfast
from .memory import Memory


@dataclass
class _Paused:
    messages: list[ModelMessage]
    requests: DeferredToolRequests


_paused = TypeAdapter(_Paused)


async def answers(
    requests: DeferredToolRequests, *, run_id: str, client: AsyncStandfast, policy: str | None = None, editable: bool = False
) -> DeferredToolResults:
    """People's answers to what a run is waiting for. External calls (``requests.calls``) are left to the program."""
    calls = [Call(one.tool_call_id, one.tool_name, args_of(one.args)) for one in requests.approvals]
    found = await verdicts(client, calls, run_id=run_id, policy=policy, editable=editable)
    return DeferredToolResults(
        approvals={
            id: ToolApproved(override_args=one.args if editable else None) if one.approved else ToolDenied(one.why_not)
            for id, one in found.items()
        }
    )


def _asks_people(output: object) -> bool:
    return isinstance(output, DeferredToolRequests) and not output.calls


async def run(
    agent: Agent[Any, Any],
    prompt: str,
    *,
    id: str,
    client: AsyncStandfast,
    memory: Memory,
    policy: str | None = None,
    editable: bool = False,
    **options: Any,
) -> AgentRunResult[Any]:
    """Runs the agent to its end, or to external calls, whose results only the program has (``answers`` has the approvals).

    The same ``id`` after a crash goes on with the question that was open. ``options`` go to ``agent.run``. A run that ended is forgotten: its ``id`` begins a new one.
    """
    kept = memory.load(id)
    result: AgentRunResult[Any] | None = None
    if kept is None:
        result = await agent.run(prompt, **options)
        paused = _Paused(result.all_messages(), result.output)
    else:
        paused = _paused.validate_json(kept)
    while result is None or _asks_people(paused.requests):
        memory.save(id, _paused.dump_json(paused).decode())
        given = await answers(paused.requests, run_id=id, client=client, policy=policy, editable=editable)
        result = await agent.run(message_history=paused.messages, deferred_tool_results=given, **options)
        paused = _Paused(result.all_messages(), result.output)
    memory.forget(id)
    return result
