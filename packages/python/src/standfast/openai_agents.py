"""OpenAI Agents SDK: tools with ``needs_approval=True`` are approved by people."""

from __future__ import annotations

from typing import Any

from agents import Agent, Runner, RunResult, RunState, ToolApprovalItem

from ._adapter import Call, args_of, verdicts
from ._client import AsyncStandfast
from .memory import Memory


def _field(item: ToolApprovalItem, name: str) -> Any:
    raw = item.raw_item
    return raw.get(name) if isinstance(raw, dict) else getattr(raw, name, None)


def _call_of(item: ToolApprovalItem) -> Call:
    id = _field(item, "call_id") or _field(item, "id")
    return Call(str(id), str(item.tool_name), args_of(_field(item, "arguments") or {}))


async def answer(
    state: RunState[Any, Any], *, run_id: str, client: AsyncStandfast, policy: str | None = None
) -> RunState[Any, Any]:
    """Approves and rejects in ``state`` what people approved and rejected; the model reads why not."""
    asked = [(item, _call_of(item)) for item in state.get_interruptions()]
    found = await verdicts(client, [call for _, call in asked], run_id=run_id, policy=policy)
    for item, call in asked:
        one = found[call.id]
        if one.approved:
            state.approve(item)
        else:
            state.reject(item, rejection_message=one.why_not)
    return state


async def run(
    agent: Agent[Any],
    prompt: str,
    *,
    id: str,
    client: AsyncStandfast,
    memory: Memory,
    policy: str | None = None,
    **options: Any,
) -> RunResult:
    """Runs the agent to its end. The same ``id`` after a crash goes on with the question that was open.

    ``options`` go to ``Runner.run``. A run that ended is forgotten: its ``id`` begins a new one.
    """
    kept = memory.load(id)
    if kept is None:
        result = await Runner.run(agent, prompt, **options)
    else:
        state = await RunState.from_string(agent, kept)
        given = await answer(state, run_id=id, client=client, policy=policy)
        result = await Runner.run(agent, given, **options)
    while result.interruptions:
        state = result.to_state()
        memory.save(id, state.to_string())
        given = await answer(state, run_id=id, client=client, policy=policy)
        result = await Runner.run(agent, given, **options)
    memory.forget(id)
    return result
