"""agno: tools with ``requires_confirmation=True`` are confirmed by people."""

from __future__ import annotations

import json
from typing import Any

from agno.agent import Agent
from agno.run.agent import RunOutput
from agno.run.requirement import RunRequirement

from ._adapter import Call, args_of, verdicts
from ._client import AsyncHoldpoint
from .memory import Memory


def _call_of(requirement: RunRequirement) -> Call:
    tool = requirement.tool_execution
    assert tool is not None
    return Call(str(tool.tool_call_id or requirement.id), str(tool.tool_name), args_of(tool.tool_args or {}))


async def confirm(paused: RunOutput, *, run_id: str, client: AsyncHoldpoint, policy: str | None = None) -> None:
    """Confirms and rejects in ``paused`` what people approved and rejected; other requirements are the program's."""
    asked = [(one, _call_of(one)) for one in paused.active_requirements if one.needs_confirmation]
    found = await verdicts(client, [call for _, call in asked], run_id=run_id, policy=policy)
    for requirement, call in asked:
        verdict = found[call.id]
        if verdict.approved:
            requirement.confirm()
        else:
            requirement.reject(verdict.why_not)
        # A run that was read back has copies of its calls, and agno goes on by those.
        for tool in paused.tools or []:
            if tool.tool_call_id == call.id:
                tool.confirmed = verdict.approved
                tool.confirmation_note = None if verdict.approved else verdict.why_not


async def run(
    agent: Agent,
    prompt: str,
    *,
    id: str,
    client: AsyncHoldpoint,
    memory: Memory,
    policy: str | None = None,
    **options: Any,
) -> RunOutput:
    """Runs the agent to its end. The same ``id`` after a crash goes on with the question that was open.

    ``options`` go to ``agent.arun``. A run that ended is forgotten: its ``id`` begins a new one.
    """
    kept = memory.load(id)
    if kept is None:
        result = await agent.arun(prompt, session_id=id, **options)
    else:
        result = RunOutput.from_dict(json.loads(kept))
    while result.is_paused and any(one.needs_confirmation for one in result.active_requirements):
        memory.save(id, result.to_json())
        await confirm(result, run_id=id, client=client, policy=policy)
        result = await agent.acontinue_run(result, requirements=result.requirements, session_id=id, **options)
    memory.forget(id)
    return result
